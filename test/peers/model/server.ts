/**
 * A model server on loopback: it answers each request with the next decision of its scenario, in the protocol that
 * is spoken at the path, and keeps what it was asked. It never decides by a clock.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import type { Decision } from "./decision.ts"
import type { Protocol, Said } from "./protocol.ts"
import { responses } from "./responses.ts"

const protocols: readonly Protocol[] = [responses]

export interface Asked {
  readonly path: string
  readonly said: readonly Said[]
  readonly body: unknown
  /** The key that came along, as the agent sent it. */
  readonly authorization: string | undefined
}

export class Model implements AsyncDisposable {
  readonly asked: Asked[] = []
  /** Requests that found no decision left, and other faults of a scenario: a test expects it to be empty. */
  readonly faults: string[] = []
  readonly #server: Server
  readonly #decisions: Decision[] = []
  #url = ""

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((cause: unknown) => {
        this.faults.push(String(cause))
        response.destroy()
      })
    })
  }

  static async open(...decisions: readonly Decision[]): Promise<Model> {
    const model = new Model()
    model.decides(...decisions)
    const listening = Promise.withResolvers<void>()
    model.#server.once("error", listening.reject).listen(0, "127.0.0.1", listening.resolve)
    await listening.promise
    // A server that listens on a port has an address with one.
    model.#url = `http://127.0.0.1:${(model.#server.address() as AddressInfo).port}/v1`
    return model
  }

  /** Base URL for agents; it stays the same when the server is gone. */
  get url(): string {
    return this.#url
  }

  /** More decisions, after those that are left. */
  decides(...decisions: readonly Decision[]): void {
    this.#decisions.push(...decisions)
  }

  /** How many decisions nobody has asked for yet. */
  get undecided(): number {
    return this.#decisions.length
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ""
    const protocol = protocols.find(one => one.speaks(path))
    if (protocol === undefined || request.method !== "POST") {
      this.faults.push(`${request.method} ${path}`)
      response.writeHead(404).end()
      return
    }
    const body: unknown = await json(request)
    this.asked.push({ path, body, said: protocol.read(body), authorization: request.headers.authorization })
    const decision = this.#decisions.shift()
    if (decision === undefined) throw new Error(`no decision for request ${this.asked.length}`)
    await play(decision, protocol, response, String(this.asked.length))
  }

  /** From here on its port refuses. May be done twice. */
  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>()
    this.#server.close(() => closed.resolve())
    this.#server.closeAllConnections()
    await closed.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

async function play(
  decision: Decision,
  protocol: Protocol,
  response: ServerResponse,
  id: string,
): Promise<void> {
  if (decision.kind === "error") {
    response.writeHead(decision.status, { "content-type": "application/json", ...decision.headers })
    response.end(protocol.error(decision.status, decision.message))
    return
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  if (decision.kind === "garbage") {
    response.end(decision.bytes)
    return
  }
  for (const step of protocol.answer(decision, id)) {
    if (typeof step !== "string") await step.opened
    // An agent that has gone away gets nothing; that it went is no fault of the scenario.
    else if (response.destroyed) return
    else await sent(response, step)
  }
  if (decision.ends === "stalled") return
  if (decision.ends === "dropped") response.destroy()
  else response.end()
}

/** Resolves when the bytes were handed to the socket, so that a socket is not closed before them. */
function sent(response: ServerResponse, bytes: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  response.write(bytes, () => resolve())
  return promise
}
