/**
 * What the machines say of themselves in comments and lists is true: an effect's comment names how it ends,
 * and each of these ends is an input; the examples of found folders cover the folder's table, row by row.
 */
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { definitions, found, foundRow, rowOf } from "../../machines/index.ts"
import { outcomes } from "./moves.ts"
import { type Folder, folders, run as on } from "./samples/run.ts"

const machines = new URL("../../machines/", import.meta.url)
const sources = readdirSync(machines).map(name => readFileSync(new URL(name, machines), "utf8"))

/** The ends that the comment above an effect names: `Ends: prepared, blocked, refused.` */
function endsOf(effect: string): string[] {
  const above = new RegExp(`Ends: ([^*]+?)\\.? \\*/\\s+${effect}: effect\\(`)
  const [comment] = sources.flatMap(source => above.exec(source)?.[1] ?? [])
  return comment?.match(/[a-z]\w+(?=[,;.]|$)/gi) ?? []
}

for (const { name, effects, inputs } of Object.values(definitions))
  for (const effect of Object.keys(effects))
    test(`${name}: the ends of ${effect} are inputs, and each one is tried`, () => {
      const ends = endsOf(effect)
      expect(ends.length).toBeGreaterThan(0)
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(ends))
      const tried = outcomes[effect]?.map(outcome => outcome.type) ?? []
      expect([...tried, "found"]).toEqual(expect.arrayContaining(ends))
    })

test("there is a found folder for every row of the folder's table", () => {
  const rows = (Object.keys(folders) as Folder[]).map(folder => {
    const { type: _, ...files } = on.found(folder) // keys of a literal are its keys
    return rowOf(found.parse(files))
  })
  expect(new Set(rows)).toEqual(new Set(foundRow.options))
})
