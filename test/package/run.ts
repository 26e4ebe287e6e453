/**
 * `npm run test:package`: packs the package, installs it in an empty project on Node 24 and uses it there, then holds
 * README's table of dependencies against what was measured. The last line is what was measured, as JSON.
 */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { makeCleanPlace } from "../newcomer/clean.ts"
import { checkFiles, pack } from "./pack.ts"
import { Project } from "./project.ts"
import { bytesKB, packageKB } from "./sizes.ts"
import { dependencyTable, faultsOf, sizeFaults } from "./table.ts"
import { ownTrees, type Packages } from "./tree.ts"
import { checkTypes } from "./types.ts"
import { use } from "./use.ts"

const root = join(import.meta.dirname, "..", "..")
const place = makeCleanPlace("package")
const archive = pack(root, place.at("packed"))
const project = new Project(place, join(root, "node_modules", "node", "bin"))

const began = performance.now()
project.run(["npm", "install", "--no-audit", "--no-fund", archive])
const installSeconds = (performance.now() - began) / 1000
const installed = project.at("node_modules/holdfast")
checkFiles(root, installed)

const { packages } = JSON.parse(readFileSync(project.at("node_modules/.package-lock.json"), "utf8")) as {
  readonly packages: Packages
}
const sizes = new Map(Object.keys(packages).map(path => [path, packageKB(project.at(path))]))
const sum = (paths: Iterable<string>) => [...paths].reduce((all, path) => all + (sizes.get(path) ?? 0), 0)
const trees = ownTrees(packages, "node_modules/holdfast")
const measured = new Map([...trees].map(([name, tree]) => [name, sum(tree)]))
const whole = sum(sizes.keys())

use(root, project)
checkTypes(root, project)
const rows = dependencyTable(readFileSync(join(root, "README.md"), "utf8"))
const faults = [...faultsOf(rows, [...measured.keys()]), ...sizeFaults(rows, measured)]
if (faults.length > 0) console.error(`README.md's table of dependencies:\n${faults.join("\n")}`)
else console.log(`ok  README.md's table of ${rows.length} dependencies`)
process.exitCode = faults.length > 0 ? 1 : 0

const dependencies = [...measured].map(([name, size]) => ({
  name,
  version: packages[`node_modules/${name}`]?.version,
  installedKB: Math.round(size),
}))
console.log(
  JSON.stringify({
    packageKB: Math.round(statSync(archive).size / 1024),
    unpackedKB: Math.round(bytesKB(installed)),
    installedMB: Number((whole / 1024).toFixed(1)),
    installSeconds: Number(installSeconds.toFixed(1)),
    dependencies,
  }),
)
