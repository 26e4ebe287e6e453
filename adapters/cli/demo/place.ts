/**
 * Where the demo happens: a temporary folder with a real git repository, a state folder, the agent's own journal and
 * what the agent plays. It is left there for whoever wants to look.
 */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { execa } from "execa"
import { findScenario, type Scenario, type Step, type StepOf, writeScenario } from "../../rehearsal/index.ts"

/** A factor on the agent's waits: quick enough for who waits, slow enough for who reads along. */
export const pace = 0.5

export interface Gates {
  readonly hostIsDead: string
  readonly newHostIsHere: string
}

export interface Place {
  readonly root: string
  readonly worktree: string
  readonly home: string
  readonly journal: string
  readonly scenario: string
  /**
   * Files that the agent's first turn waits for, so that the story is the same on a fast machine and on a slow one:
   * in the middle of its reply for the death of its host, and before its last line for the next host.
   */
  readonly gates: Gates
}

export async function makePlace(): Promise<Place> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-demo-")))
  const worktree = join(root, "worktree")
  const gates = { hostIsDead: join(root, "host-is-dead"), newHostIsHere: join(root, "new-host-is-here") }
  mkdirSync(worktree)
  writeFileSync(join(worktree, "README.md"), "# A repository for the Holdfast demo\n")
  await git(worktree, "init", "--quiet")
  await git(worktree, "add", "README.md")
  await git(worktree, "commit", "--quiet", "--message", "First commit")
  const scenario = writeScenario(root, withGates(gates))
  return { root, worktree, gates, scenario, home: join(root, "state"), journal: join(root, "journal.ndjson") }
}

const identity = ["user.name=Holdfast demo", "user.email=demo@holdfast.invalid", "commit.gpgSign=false"]

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  await execa("git", [...identity.flatMap(setting => ["-c", setting]), ...args], { cwd, stdin: "ignore" })
}

/** The rehearsal's usual piece of work, with the two gates in its first turn. */
function withGates({ hostIsDead, newHostIsHere }: Gates): Scenario {
  const demo = findScenario("demo")
  if (demo === null) throw new Error("the rehearsal has no scenario named demo")
  const gated = (steps: readonly Step[]) => {
    const reply = steps.findLast(step => step.do === "text")
    return steps.flatMap((step): readonly Step[] => {
      if (step === reply) return inHalves(step, { do: "waitForFile", path: hostIsDead })
      return step.do === "result" ? [{ do: "waitForFile", path: newHostIsHere }, step] : [step]
    })
  }
  const turns = demo.turns.map(turn =>
    turn.when?.remembers === true ? turn : { ...turn, steps: gated(turn.steps) },
  )
  return { ...demo, turns }
}

function inHalves(step: StepOf<"text">, between: Step): readonly Step[] {
  const { text = "", chunks = 2 } = step
  const half = Math.ceil(text.length / 2)
  const part = (text: string): Step => ({ ...step, text, chunks: Math.ceil(chunks / 2) })
  return [part(text.slice(0, half)), between, part(text.slice(half))]
}
