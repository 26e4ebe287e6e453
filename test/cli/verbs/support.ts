/** Places for the verbs about the log: a state folder whose log was written by the store, without any process. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { openHost, smallLog, withFile } from "../../store/support.ts"
import { makePlace, type Place } from "../harness.ts"

/** Three sessions, `a` at rest, `b` and `c` busy; the host that wrote them is gone. */
export async function placeWithLog(): Promise<Place> {
  const place = makePlace()
  await append(place, smallLog)
  return place
}

export async function append(
  place: Place,
  write: (store: ReturnType<typeof openHost>["store"]) => Promise<unknown>,
): Promise<void> {
  const { store } = openHost(place.home)
  await write(store)
  store.close()
}

/** As somebody would who has the file and SQLite. */
export function tamper(place: Place, sql: string): void {
  withFile(place.home, db => db.exec(sql))
}

/** Every file below a folder, with its mode and a digest of its bytes; without SQLite's working files. */
export function treeOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()
  const files = names.filter(name => !/-(?:shm|wal)$/.test(name) && statSync(join(folder, name)).isFile())
  return Object.fromEntries(
    files.map(name => [name, `${statSync(join(folder, name)).mode} ${digestOf(join(folder, name))}`]),
  )
}
const digestOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")
