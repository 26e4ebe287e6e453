/** Whether the network is refused here, except loopback: the ground on which a real agent may be run by a test. */
import { connect } from "node:net"
import { networkInterfaces } from "node:os"

/** Throws unless loopback is all there is. */
export function refuseToRunOnline(): void {
  const others = Object.entries(networkInterfaces()).filter(([, addresses]) =>
    addresses?.some(address => !address.internal),
  )
  if (others.length === 0) return
  throw new Error(
    `there is a network here (${others.map(([name]) => name).join(", ")}): start these tests by npm run test:peers`,
  )
}

/** The code of the error that an attempt to connect ends with, or what else became of it. */
export function attempt(host: string, port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ host, port, timeout: 10_000 })
  socket.once("connect", () => resolve("connected"))
  socket.once("timeout", () => resolve("silence"))
  socket.once("error", cause => resolve("code" in cause ? String(cause.code) : cause.message))
  return promise.finally(() => socket.destroy())
}
