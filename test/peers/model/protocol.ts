/** A wire protocol: what a request of it looks like, and how a decision is written in it. Pure; the server sends. */
import type { Decision } from "./decision.ts"
import type { Gate } from "./gate.ts"

type Answer = Extract<Decision, { kind: "answer" }>

/** One step of an answer: bytes to send, or a gate to wait at. */
export type Step = string | Gate

export interface Protocol {
  /** Whether this protocol is spoken at this path. */
  readonly speaks: (path: string) => boolean
  /** What the agent sent: the texts of the person and of the model so far, and the results of tools, in order. */
  readonly read: (body: unknown) => readonly Said[]
  /** The steps up to the end of the last part, which an answer that is cut off does not reach. */
  readonly answer: (answer: Answer, id: string) => readonly Step[]
  /** The body of an HTTP error. */
  readonly error: (status: number, message: string) => string
}

export interface Said {
  readonly by: "person" | "model" | "tool"
  readonly text: string
}
