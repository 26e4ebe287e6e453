/** Packs the package as it would be published, and looks at what came along: all that is needed, and nothing else. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { drawingsAmong, drawingsFolder } from "../../adapters/diagram/shipped.ts"
import { filesBelow } from "./sizes.ts"

/** Path of the archive. `prepack` builds what is in it. */
export function pack(root: string, into: string): string {
  mkdirSync(into)
  const { status, stdout, stderr } = spawnSync("npm", ["pack", "--pack-destination", into], {
    cwd: root,
    encoding: "utf8",
  })
  const [archive] = readdirSync(into)
  if (status !== 0 || archive === undefined) throw new Error(`npm pack failed:\n${stdout}${stderr}`)
  return join(into, archive)
}

/** Throws what is wrong with the files of the unpacked package. */
export function checkFiles(root: string, unpacked: string): void {
  const files = filesBelow(unpacked)
  const drawings = drawingsAmong(readdirSync(drawingsFolder)).map(name => `dist/diagrams/${name}`)
  const needed = [
    ...["package.json", "README.md", "LICENSE", "CHANGELOG.md", ...drawings],
    ...pathsIn(JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"))),
  ]
  const faults = [
    ...needed.filter(file => !files.includes(file)).map(file => `${file} is missing`),
    ...files.filter(file => !isExpected(file)).map(file => `${file} should not be there`),
    ...executables(unpacked).map(file => `${file} is not executable`),
    ...files
      .filter(file => [root, homedir()].some(path => holds(join(unpacked, file), path)))
      .map(file => `${file} names a path of this machine`),
  ]
  if (faults.length > 0) throw new Error(faults.join("\n"))
  console.log(`ok  ${files.length} files: ${drawings.length} of them drawings, none of tests or sources`)
}

const isExpected = (file: string) =>
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(file) ||
  /^dist\/diagrams\/[\w-]+\.(?:svg|mmd)$/.test(file) ||
  /^dist\/(?:adapters|effects|store|machines)\/[\w./-]+(?:\.js|\.d\.ts)$/.test(file)

/** What `exports` and `bin` point at, but for the sources, which are only in a checkout. */
function pathsIn(manifest: {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin: Readonly<Record<string, string>>
}): readonly string[] {
  const exported = Object.values(manifest.exports).flatMap(target =>
    typeof target === "string"
      ? [target]
      : Object.entries(target).flatMap(([condition, path]) =>
          condition === "holdfast-source" ? [] : [path],
        ),
  )
  return [...exported, ...Object.values(manifest.bin)].map(path => path.replace(/^\.\//, ""))
}

const executables = (unpacked: string) =>
  ["dist/adapters/cli/bin.js", "dist/adapters/rehearsal/agent.js"].filter(
    file => (statSync(join(unpacked, file)).mode & 0o111) === 0,
  )

const holds = (file: string, path: string) => readFileSync(file, "utf8").includes(`${path}/`)
