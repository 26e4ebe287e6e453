/**
 * A child host and the rehearsal agent, each in one file: loading some hundred modules takes a process longer than
 * everything it does here. Bundled by what the test runner brings along, from the sources as they are.
 */
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Bundle {
  /** Where the programs are. */
  readonly folder: string
  /** Path of the child host's program. */
  readonly host: string
  readonly remove: () => void
}

/** `host` is the path of the child host's source. */
export async function bundle(host = at("../fixtures/host.ts")): Promise<Bundle> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-programs-")))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  // What is native cannot be bundled.
  symlinkSync(at("../../../node_modules"), join(folder, "node_modules"))
  const bundled = await rolldown({
    // The host looks for the agent beside itself, by this name.
    input: { host, agent: at("../../../adapters/rehearsal/agent.ts") },
    external: ["better-sqlite3"],
    platform: "node",
  })
  await bundled.write({ dir: folder, format: "esm", entryFileNames: "[name].js" })
  await bundled.close()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { folder, host: join(folder, "host.js"), remove }
}
