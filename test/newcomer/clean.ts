/**
 * What a newcomer has: an empty home, the machine's own programs and its way to the network. Nothing of the checkout
 * that this is started from, and no settings of the person who starts it.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

export interface CleanPlace {
  readonly root: string
  readonly at: (name: string) => string
  /** Folders in `first` come before the machine's on the PATH. */
  readonly env: (...first: readonly string[]) => Record<string, string>
}

/** npm looks for the machine's own settings beside the Node it runs on, so with another Node it has to be told where. */
const network =
  /^(?:(?:HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|npm_config_(?:registry|cafile|globalconfig))$/i

/** It is taken away when this process ends. */
export function makeCleanPlace(name: string): CleanPlace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `holdfast-${name}-`)))
  const at = (path: string) => join(root, path)
  process.once("exit", () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1))
  for (const folder of ["home", "tmp"]) mkdirSync(at(folder))
  // npm puts folders of the checkout first.
  const machine = (process.env.PATH ?? "").split(delimiter).filter(path => !path.includes("node_modules"))
  const passed = Object.entries(process.env).filter(([key]) => network.test(key)) as [string, string][]
  return {
    root,
    at,
    env: (...first) => ({
      ...Object.fromEntries(passed),
      PATH: [...first, ...machine].join(delimiter),
      HOME: at("home"),
      TMPDIR: at("tmp"),
    }),
  }
}
