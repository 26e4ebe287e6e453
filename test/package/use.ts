/** Uses the installed package as its reader would: every export, the ten lines, the command; and on an older Node. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Project } from "./project.ts"

const holdfast = ["npx", "holdfast"] as const

export function use(root: string, project: Project): void {
  const { version, exports } = JSON.parse(
    readFileSync(project.at("node_modules/holdfast/package.json"), "utf8"),
  ) as {
    readonly version: string
    readonly exports: Readonly<Record<string, unknown>>
  }
  const names = Object.keys(exports).filter(path => !path.endsWith(".json"))
  for (const path of names) {
    const count = `import(${JSON.stringify(path.replace(".", "holdfast"))}).then(m => console.log(Object.keys(m).length))`
    project.run(["node", "--eval", count], { prints: /^[1-9]/ })
  }
  project.write("embed.ts", readFileSync(join(root, "examples", "embed.ts"), "utf8"))
  project.run(["node", "embed.ts"], { prints: /This is turn 1 [\s\S]*\nsucceeded\n$/ })
  const isVersion = new RegExp(`^${version.replaceAll(".", "\\.")}\n$`)
  project.run([...holdfast, "--version"], { prints: isVersion })
  project.run([...holdfast, "diagram", "run"], { prints: /^run +version \d+: \d+ states/ })
  project.run([...holdfast, "diagram", "run", "--svg"], { prints: /<svg[\s\S]*<\/svg>\n$/ })
  const done = /\n\{"type":"demo\.done","ok":true,"adopted":true,[^\n]*"chain":"ok"\}\n$/
  project.run([...holdfast, "demo", "--json", "--clean"], { prints: done })
  if (project.oldNode === null) console.log("--  no older Node is here, so its refusal was not tried")
  else refuse(project)
}

function refuse(project: Project): void {
  const refusal = { complains: /Holdfast needs Node 24 or newer; this is \d/, onOldNode: true } as const
  project.run([...holdfast, "--version"], { ...refusal, exit: 2 })
  project.run(["node", "--eval", "import('holdfast')"], { ...refusal, exit: 1 })
}
