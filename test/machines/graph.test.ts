/**
 * Every machine walked from its own definition: each state reached, each row taken, and every path stepped
 * through the kernel with the world taken away, and to the same result again. It knows no machine by name.
 */
import { describe, expect, test } from "vitest"
import { definitions } from "../../machines/index.ts"
import { type Path, pathsOf } from "./paths.ts"
import { walks } from "./samples/index.ts"
import { withoutWorld } from "./stubs.ts"
import { coverageOf, walked } from "./walking.ts"

test("every machine that the library defines is walked", () => {
  const names = walks.map(walk => walk.definition.name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(definitions)))
})

describe.each(walks.map(walk => [walk.definition.name, walk] as const))("%s", (_, walk) => {
  const { definition } = walk
  const paths = pathsOf(walk)

  test("every state is reached and every row of the table is taken", () => {
    const { line, missing } = coverageOf(definition, paths)
    console.log(line)
    expect(missing).toEqual([])
  })

  test("I1 I2 every path gives the same with the world taken away, once more, and through JSON", () => {
    const text = (path: Path, carry?: typeof throughJson) =>
      walked(definition, path, carry).map(met => JSON.stringify(met.result))
    for (const path of paths) {
      const first = withoutWorld(() => text(path))
      expect(text(path)).toEqual(first)
      expect(withoutWorld(() => text(path, throughJson))).toEqual(first)
    }
  })

  test("an observation is never rejected, and one without a row changes nothing", () => {
    for (const { before, input, result } of paths.flatMap(path => walked(definition, path))) {
      const kind = definition.inputs[input.type]?.kind
      if (result.rejected) expect(kind, `${input.type}: ${result.code}`).toBe("command")
      else if (result.ignored) {
        expect(kind, input.type).toBe("observation")
        if (before !== null) expect(result.snapshot).toBe(before)
        expect([result.effects, result.timers, result.sends]).toEqual([[], [], []])
      }
    }
  })
})

// What JSON gives back for a value that JSON holds is a value of the same type.
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
