/**
 * A host as a program of its own, for cases about hosts that die or stand side by side. Told what to do by its one
 * argument, as JSON; says what happened as JSON lines on stdout; lives until it is told to close or is killed.
 */
import { createInterface } from "node:readline"
import { rehearsal } from "../../adapters/agents/index.ts"
import { openHost } from "../../adapters/library/index.ts"
import type { HostOrders } from "./host-orders.ts"

const orders = JSON.parse(process.argv[2] ?? "{}") as HostOrders // written by `host-orders.ts`
const say = (word: string, more: object = {}) =>
  process.stdout.write(`${JSON.stringify({ word, ...more })}\n`)

const host = await openHost({
  agents: [rehearsal(orders.agent)],
  home: orders.home,
  env: orders.env,
  pollMs: 5,
  limits: orders.limits ?? {},
})
say("open")
if (orders.launch !== undefined) {
  const session = await host.launch({ cwd: orders.launch.cwd, id: orders.launch.session })
  say("launched")
  for (const [index, prompt] of orders.launch.prompts.entries()) {
    const turn = session.send(prompt, { id: `order-${index}` })
    await turn.accepted
    say("accepted", { turn: turn.id })
    void turn.result.then(
      result => say("settled", { turn: turn.id, outcome: result.outcome }),
      () => undefined,
    )
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "close") await host.close()
  if (line === "leave") await host.close({ leave: true })
  say("closed")
  break
}
process.exit(0)
