/**
 * A host as a program of its own, to be killed: it launches a session of codex, sends one prompt, and writes what
 * its reader gets to stdout, a line each. Told what to do by its one argument, as JSON.
 */
import { openHost } from "../../adapters/library/index.ts"
import { ledTo } from "./codex.ts"
import type { HostOrders } from "./host-orders.ts"

const orders = JSON.parse(process.argv[2] ?? "") as HostOrders // written by `host-orders.ts`
const host = await openHost({ agents: [ledTo(orders.lead)], home: orders.home, env: orders.env })
const session = await host.launch({ cwd: orders.cwd, id: orders.session })
const turn = session.send(orders.prompt, { id: "order-1" })
for await (const event of turn.events()) process.stdout.write(`${JSON.stringify(event)}\n`)
