/**
 * The one place where a record loses what differs from one run to the next: ids, times, durations, pids, hashes and
 * folders get names, and the one race of the log is told in one order. Equal ids get equal names. Everything else
 * stays as it is: counts, positions, codes, words.
 */
import { launchedFirst } from "./launched-first.ts"

export interface Known {
  /** A folder of this machine, and what it is called. */
  readonly folders: readonly (readonly [path: string, name: string])[]
  /** Ids of this story, and what they are called. */
  readonly ids: readonly (readonly [id: string, name: string])[]
}

export function normalise(text: string, { folders, ids }: Known): string {
  const named = [...folders]
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce((named, [path, name]) => named.replaceAll(path, name), text)
  const withIds = ids.reduce((named, [id, name]) => renamed(named, id, name), named)
  const withNames = numbered(numbered(withIds, uuid, "conversation"), host, "host")
  const withoutTimes = withNames
    .replace(cursor, "<at>")
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\b/g, "<time>")
    .replace(/"(time|createdAt|updatedAt)":\d{13}\b/g, '"$1":"<time>"')
    .replace(/"(elapsedMs)":\d+\b/g, '"$1":"<ms>"')
    .replace(/\b(?:\d+ h \d+ min|\d+ min \d+ s|\d+\.\d s)\b/g, "<duration>")
    .replace(/\b[0-9a-f]{64}\b/g, "<hash>")
  return launchedFirst(withoutTimes)
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const host = /\bh[0-7][0-9a-hjkmnp-tv-z]{25}\b/g
const cursor = /(?<![\w:.-])\d+:\d+:\d+:(?:-(?!\w)|<turn \d+>\.\d+)/g

/** In a column, the name takes as much room as the id did. */
function renamed(text: string, id: string, name: string): string {
  const inColumn = new RegExp(`${id}((?:\\.\\d+)?)(?=  )`, "g")
  const room = " ".repeat(Math.max(0, id.length - name.length))
  return text.replace(inColumn, `${name}$1${room}`).replaceAll(id, name)
}

function numbered(text: string, pattern: RegExp, name: string): string {
  const seen: string[] = []
  return text.replace(pattern, found => {
    if (!seen.includes(found)) seen.push(found)
    return `<${name} ${seen.indexOf(found) + 1}>`
  })
}
