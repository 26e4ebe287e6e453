/**
 * Files that are there whole or not at all: a temporary file beside the target, flushed, then one step. Plain
 * and synchronous; a state folder is on a local disk. Nothing here knows what the bytes mean.
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { ulid } from "ulid"
import { errnoOf } from "./errors.ts"

const PRIVATE = 0o600

/** Replaces the file. `flush`: it survives a power cut once its folder is flushed too. */
export function replaceFile(path: string, bytes: Uint8Array | string, flush = false): void {
  viaTemporary(path, bytes, flush, temporary => renameSync(temporary, path))
}

/** Creates the file, or says that somebody else was first. */
export function createExclusively(path: string, bytes: Uint8Array | string): "created" | "lost" {
  try {
    viaTemporary(path, bytes, false, temporary => linkSync(temporary, path))
    return "created"
  } catch (cause) {
    if (errnoOf(cause) === "EEXIST") return "lost"
    throw cause
  }
}

/** An empty file, private, unless there is one already: what it holds is never touched. */
export function ensureFile(path: string): void {
  closeSync(openSync(path, "a", PRIVATE))
}

export function ensureFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

export function flushFolder(path: string): void {
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Null when there is no such file. */
export function readIfThere(path: string): Buffer | null {
  return ifThere(() => readFileSync(path))
}

export function sizeIfThere(path: string): number | null {
  return ifThere(() => statSync(path).size)
}

function ifThere<A>(ask: () => A): A | null {
  try {
    return ask()
  } catch (cause) {
    if (errnoOf(cause) === "ENOENT") return null
    throw cause
  }
}

function viaTemporary(
  path: string,
  bytes: Uint8Array | string,
  flush: boolean,
  place: (temporary: string) => void,
): void {
  const temporary = join(dirname(path), `.${basename(path)}.${ulid()}`)
  try {
    writeFileSync(temporary, bytes, { mode: PRIVATE, flag: "wx", flush })
    place(temporary)
  } finally {
    rmSync(temporary, { force: true })
  }
}
