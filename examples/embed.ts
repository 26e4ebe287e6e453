/** Holdfast in ten lines: open a host, launch a session, send a prompt, read along, take the result. */
import { tmpdir } from "node:os"
import { openHost } from "holdfast"
import { rehearsal } from "holdfast/agents"

await using host = await openHost({ agents: [rehearsal()] })
const session = await host.launch({ cwd: tmpdir() })
const turn = session.send("Leave a note")
for await (const event of turn.events()) {
  if (event.type === "text.delta") process.stdout.write(event.text)
}
console.log(`\n${(await turn.result).outcome}`)
