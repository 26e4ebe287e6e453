/**
 * How the verbs that read open the log: read only, without owning, recovering or creating anything, beside
 * whatever host is at work. It loads nothing that only a host needs.
 */
import { definitions } from "../../machines/index.ts"
import { openStore, type Reader, type SessionRow } from "../../store/index.ts"
import { Refusal } from "../library/errors.ts"
import { stateFolder } from "../library/state-folder.ts"

export interface Reading {
  readonly folder: string
  readonly store: Reader
}

export async function withReading<T>(
  home: string | undefined,
  use: (reading: Reading) => T | Promise<T>,
): Promise<T> {
  const folder = stateFolder(process.env, home)
  const store = openStore({ folder, definitions, mode: "read" })
  try {
    return await use({ folder, store })
  } finally {
    store.close()
  }
}

export function sessionRow({ store }: Reading, session: string): SessionRow {
  const row = store.session(session)
  if (row === null || row.undecodable) throw new Refusal("SESSION_UNKNOWN", session)
  return row
}
