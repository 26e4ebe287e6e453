/**
 * Where an export goes: stdout, or a file that appears whole or not at all. A file that is there is not written
 * over, unless that is asked for.
 */
import { existsSync, linkSync, renameSync, rmSync } from "node:fs"
import { open } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Output } from "../output.ts"
import { CliError } from "../problem.ts"

export interface Destination {
  readonly write: (lines: readonly object[]) => Promise<void>
  /** Everything was written: from now on it is there. */
  readonly publish: () => Promise<void>
  /** What was written and not published goes away again. */
  readonly close: () => Promise<void>
}

export function toStdout(output: Output): Destination {
  return {
    async write(lines) {
      for (const line of lines) {
        output.record({ ...line })
        output.text(`${JSON.stringify(line)}\n`)
      }
      await output.flushed()
    },
    publish: async () => undefined,
    close: async () => undefined,
  }
}

export async function toFile(path: string, force: boolean): Promise<Destination> {
  if (!force && existsSync(path)) throw new CliError("USAGE_OUT_EXISTS", path)
  // Beside it, since only within one file system a file can appear in one step.
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.unfinished`)
  const file = await open(unfinished, "wx", 0o600).catch((cause: unknown) => refuse(path, cause))
  return {
    async write(lines) {
      await file.writeFile(lines.map(line => `${JSON.stringify(line)}\n`).join(""))
    },
    async publish() {
      await file.sync()
      try {
        if (force) renameSync(unfinished, path)
        else linkSync(unfinished, path) // unlike a rename it fails when somebody made the file meanwhile
      } catch (cause) {
        refuse(path, cause)
      }
    },
    async close() {
      await file.close()
      rmSync(unfinished, { force: true })
    },
  }
}

function refuse(path: string, cause: unknown): never {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
  throw new CliError(
    code === "EEXIST" ? "USAGE_OUT_EXISTS" : "USAGE_OUT",
    code === "EEXIST" ? path : `${path}: ${code}`,
    cause,
  )
}
