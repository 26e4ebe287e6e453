/**
 * Reading on after a crash, without a gap and without a repeated event. Each event is stored together with its
 * cursor, in one write; so the last line that is there says where to go on. Kill it in the middle, and start it again.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openHost } from "holdfast"
import { rehearsal } from "holdfast/agents"

const file = process.argv[2] ?? join(tmpdir(), "holdfast-example-events.ndjson")
const stored = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : []
const last = stored.at(-1)
const from = last === undefined ? {} : { after: JSON.parse(last).at }

await using host = await openHost({ agents: [rehearsal()] })
const id = "resume-by-cursor"
const known = host.sessions().some(row => row.session === id)
const session = known ? host.session(id) : await host.launch({ id, cwd: tmpdir() })

// The id names the request: when this is started again, it is the same turn, and nothing is sent twice.
const turn = session.send("Tell me what you do, while you do it", { id: "only-once" })
let added = 0
for await (const event of turn.events(from)) {
  appendFileSync(file, `${JSON.stringify(event)}\n`)
  added += 1
}
console.log(`${stored.length} events were there, ${added} were added: ${file}`)
