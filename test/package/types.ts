/**
 * The declarations of the package, as strict programs of its users meet them: a consumer of every export, and the
 * programs of README.md. They have TypeScript and the types of Node.
 */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { blocksOf } from "../newcomer/page.ts"
import type { Project } from "./project.ts"

// Without `lib`, which means the DOM too: Effect's declarations name what is in it.
const compilerOptions = {
  target: "es2024",
  types: ["node"],
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  noEmit: true,
}

export function checkTypes(root: string, project: Project): void {
  const modules = join(root, "node_modules")
  const addTypes = (name: string) =>
    symlinkSync(join(modules, "@types", name), project.at(`node_modules/@types/${name}`))
  const compile = (skipLibCheck: boolean) => {
    const config = { compilerOptions: { ...compilerOptions, skipLibCheck }, include: ["typed/*.ts"] }
    project.write("tsconfig.json", JSON.stringify(config))
    project.run([join(modules, ".bin", "tsc"), "-p", "."])
  }
  project.write("typed/consumer.ts", readFileSync(join(import.meta.dirname, "consumer.ts"), "utf8"))
  for (const { line, language, lines } of blocksOf(readFileSync(join(root, "README.md"), "utf8")))
    if (language === "ts") project.write(`typed/readme-${line}.ts`, lines.join("\n"))
  mkdirSync(project.at("node_modules/@types"))
  addTypes("node")
  compile(true)
  // To look at every declaration too, one more is needed: the store's own modules name types of its database.
  addTypes("better-sqlite3")
  compile(false)
}
