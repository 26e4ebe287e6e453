/**
 * `npm run test:newcomer`: README.md from top to bottom, as somebody who comes to it for the first time: a fresh clone
 * of what is committed, an empty home, the machine's own Node. Every command is run and every program compiled and
 * run. With `--quick` without what takes minutes.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeCleanPlace } from "./clean.ts"
import { linksOf, scriptsOf } from "./page.ts"
import { planOf, type Step } from "./plan.ts"
import { Programs } from "./programs.ts"
import { Shell } from "./shell.ts"
import { Values } from "./values.ts"

const isQuick = process.argv.includes("--quick")
const root = join(import.meta.dirname, "..", "..")
const place = makeCleanPlace("newcomer")
const clone = place.at("holdfast")
const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" })
git("clone", "--quiet", root, clone)
const uncommitted = git("status", "--short").split("\n").length - 1
console.log(
  `README.md of ${git("rev-parse", "--short", "HEAD").trim()}, in a fresh clone with an empty home` +
    (uncommitted === 0 ? "" : `; ${uncommitted} paths that are not committed are not in it`),
)

const page = readFileSync(join(clone, "README.md"), "utf8")
const plan = planOf(page)
checkNames()
const shell = new Shell(clone, place.env())
const values = new Values(shell)
const done: string[] = []
for (const step of plan) done.push(await take(step))
console.log(`\n${done.join("\n")}\n\nREADME.md: ${plan.length} steps, all as it says.`)
process.exit()

/** Does the step, and tells it in a line. Throws when it is not as it should be. */
async function take(step: Step): Promise<string> {
  const began = performance.now()
  const isLeftOut = step.kind === "drawing" || (isQuick && step.known?.takes === "minutes")
  if (!isLeftOut) await perform(step)
  const took = isLeftOut ? "-" : `${((performance.now() - began) / 1000).toFixed(1)} s`
  const what = step.kind === "command" ? step.text : `(${step.kind})`
  const told = `${took.padStart(8)}  ${`${step.line}`.padStart(4)}  ${what}${isLeftOut && step.kind !== "drawing" ? "  LEFT OUT" : ""}`
  console.log(told)
  return told
}

async function perform({ kind, line, text, known }: Step): Promise<void> {
  if (known === null) return
  if (known.file !== undefined) writeFileSync(join(clone, known.file), "Fix the failing test\n")
  const said =
    kind === "program"
      ? new Programs(place, clone).run(`line-${line}`, text)
      : await shell.run(await values.fill(text), known.takes !== undefined)
  const expected = known.exit ?? 0
  if (said.exit === expected && known.prints.test(said.all)) return
  console.error(
    `\nREADME.md:${line}: ended with ${said.exit}, expected ${expected} and ${known.prints}:\n${text}\n\n${said.all}`,
  )
  process.exit(1)
}

/** What the page names of the repository is there. */
function checkNames(): void {
  const { scripts } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const missing = [
    ...linksOf(page).filter(path => !existsSync(join(clone, path))),
    ...scriptsOf(page).filter(name => !Object.hasOwn(scripts, name)),
  ]
  if (missing.length === 0) return
  console.error(`README.md names what is not there: ${missing.join(", ")}`)
  process.exit(1)
}
