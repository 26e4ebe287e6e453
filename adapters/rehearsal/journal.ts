/**
 * What the agent did, told by the agent itself: one JSON line per fact, in one O_APPEND write, at the moment it
 * happened, so that it holds up to a SIGKILL. It lives outside any host's state, for whoever wants to compare the
 * two accounts. It must never hold a prompt, a reply or the value of a variable.
 */
import { randomBytes } from "node:crypto"
import { openSync, writeSync } from "node:fs"

/** The facts. Everything a reader may rely on is a field here. */
export type JournalFact =
  | {
      readonly event: "started"
      /** Without the values of key-carrying flags. */
      readonly argv: readonly string[]
      readonly cwd: string
      /** Names only, sorted. */
      readonly environment: readonly string[]
    }
  | {
      readonly event: "prompt"
      readonly from: "stdin" | "argv"
      readonly bytes: number
      readonly sha256: string
    }
  | { readonly event: "claimed"; readonly session: string; readonly resumed: boolean; readonly turn: number }
  /** All of stdout so far: how many bytes, and their hash. */
  | { readonly event: "wrote"; readonly bytes: number; readonly sha256: string }
  | { readonly event: "truncated" }
  /** The agent stands still: until a file is there, until its stdin ends, or for ever. */
  | { readonly event: "waiting"; readonly for: "file" | "stdin" | "ever" }
  /** A real effect, before (`begun`) and after (`done`, `failed`, `refused`). */
  | {
      readonly event: "tool"
      readonly kind: string
      readonly call: string
      readonly phase: "begun" | "done" | "failed" | "refused"
      readonly path?: string
    }
  | { readonly event: "spawned"; readonly child: number; readonly detached: boolean }
  | { readonly event: "signal"; readonly name: string; readonly ignored: boolean }
  /** The result line is about to be written; the chat remembers the turn from here on. */
  | { readonly event: "remembered"; readonly session: string; readonly turn: number }
  | { readonly event: "exit"; readonly code: number }

/** Who noted a fact, and when. */
export interface JournalStamp {
  /** Milliseconds since 1970, by the agent's own clock. */
  readonly at: number
  /** Of the agent, in its own namespace. */
  readonly pid: number
  /** HOLDFAST_RUN, or null. */
  readonly run: string | null
  /** One per process: two entries with the same nonce come from the same life. */
  readonly nonce: string
}

/** One line of a journal. */
export type JournalEntry = JournalStamp & JournalFact

export interface Journal {
  note(fact: JournalFact): void
}

export const openJournal = (path: string | undefined, run: string | undefined): Journal => {
  if (path === undefined || path === "") return { note: () => undefined }
  const fd = openSync(path, "a", 0o600)
  const nonce = randomBytes(8).toString("hex")
  return {
    note: fact => {
      const entry: JournalEntry = { at: Date.now(), pid: process.pid, run: run ?? null, nonce, ...fact }
      writeSync(fd, `${JSON.stringify(entry)}\n`)
    },
  }
}
