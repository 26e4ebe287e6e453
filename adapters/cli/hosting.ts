/**
 * How the verbs that own open a host and let it go again: with one agent, listening for Ctrl-C from the beginning,
 * and leaving to the next host whatever it took over and does not wait for.
 */
import type { AgentAdapter } from "../../effects/agent.ts"
import { type Host, openHost } from "../library/host.ts"
import { type Interrupts, listenForInterrupts } from "./interrupts.ts"

export async function withHost(
  adapter: AgentAdapter,
  home: string,
  use: (host: Host, interrupts: Interrupts) => Promise<number>,
): Promise<number> {
  const interrupts = listenForInterrupts()
  try {
    // A person is told what went wrong in words; a log line is for who asked for one.
    const env = { HOLDFAST_LOG: "error", ...process.env }
    const host = await openHost({ agents: [adapter], home, env })
    try {
      return await use(host, interrupts)
    } finally {
      await host.close({ leave: true })
    }
  } finally {
    interrupts.stop()
  }
}
