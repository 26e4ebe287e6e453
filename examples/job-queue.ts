/**
 * A queue of jobs that may be killed at any moment and started again: every job is done once. The queue keeps no list
 * of what is done. A job's id is the id of its request, and Holdfast knows whether it was made before.
 */
import { tmpdir } from "node:os"
import { openHost } from "holdfast"
import { rehearsal } from "holdfast/agents"

const jobs = [
  { id: "invoice-17", prompt: "Write the letter for invoice 17" },
  { id: "invoice-18", prompt: "Write the letter for invoice 18" },
  { id: "invoice-17", prompt: "Write the letter for invoice 17" }, // somebody pressed the button twice
  { id: "invoice-19", prompt: "Write the letter for invoice 19" },
]

await using host = await openHost({ agents: [rehearsal()] })
const id = "job-queue"
const known = host.sessions().some(row => row.session === id)
const session = known ? host.session(id) : await host.launch({ id, cwd: tmpdir() })

// Durable once accepted. A session takes one turn at a time; the others wait in it, also while no host lives.
const turns = new Map<string, ReturnType<typeof session.send>>()
for (const job of jobs) {
  const turn = session.send(job.prompt, { id: job.id })
  await turn.accepted
  turns.set(job.id, turn)
}
console.log(`${turns.size} jobs accepted`)

for (const [job, turn] of turns) console.log(`${job}: ${(await turn.result).outcome}`)

// The same id for something else is a mistake of the caller, and nothing is done.
const other = session.send("Write a love letter", { id: "invoice-17" })
await other.accepted.catch(error => console.log(`invoice-17 again, with another prompt: ${error.code}`))
