/**
 * Every machine walked from its own definition: each state reached, each row taken, and every path stepped
 * through the kernel with the world taken away, and to the same result again. It knows no machine by name.
 */
import { describe, expect, test } from "vitest"
import * as machines from "../../machines/index.ts"
import { definitions, id, idOf, machineOf, recoveryClass } from "../../machines/index.ts"
import { pathsOf } from "./paths.ts"
import { walks } from "./samples/index.ts"
import { withoutWorld } from "./stubs.ts"
import { coverageOf, type Met, walked } from "./walking.ts"

test("every machine that the library defines is walked", () => {
  const names = walks.map(walk => walk.definition.name)
  const defined = Object.values(machines).flatMap(value =>
    typeof value === "object" && "machine" in value && typeof value.name === "string" ? [value.name] : [],
  )
  expect(names).toEqual(expect.arrayContaining([...defined, ...Object.keys(definitions)]))
})

describe.each(walks.map(walk => [walk.definition.name, walk] as const))("%s", (_, walk) => {
  const { definition } = walk
  const paths = pathsOf(walk)
  const mets = paths.map(path => withoutWorld(() => walked(definition, path)))

  test("every state is reached and every row of the table is taken", () => {
    const { line, missing } = coverageOf(definition, mets)
    console.log(line)
    expect(missing).toEqual([])
  })

  test("I1 I2 every path gives the same with the world there, and through JSON at every step", () => {
    for (const [index, path] of paths.entries()) {
      const first = textOf(mets[index])
      expect(textOf(walked(definition, path))).toEqual(first)
      expect(textOf(withoutWorld(() => walked(definition, path, throughJson)))).toEqual(first)
    }
  })

  test("an observation is never rejected, and one without a row changes nothing", () => {
    for (const { before, input, result } of mets.flat()) {
      const kind = definition.inputs[input.type]?.kind
      if (result.rejected) expect(kind, `${input.type}: ${result.code}`).toBe("command")
      else if (result.ignored) {
        expect(kind, input.type).toBe("observation")
        if (before !== null) expect(result.snapshot).toBe(before)
        expect([result.effects, result.timers, result.sends]).toEqual([[], [], []])
      }
    }
  })

  test("every effect of its closed list has a recovery class and is asked for on some path", () => {
    const asked = new Set(
      mets
        .flat()
        .flatMap(({ result }) => (result.rejected ? [] : result.effects))
        .map(effect => effect.kind),
    )
    expect([...asked].sort()).toEqual(Object.keys(definition.effects).sort())
    for (const { class: recovery } of Object.values(definition.effects))
      expect(recoveryClass.options).toContain(recovery)
  })

  test("every send names a machine, and an input that this machine takes as it is", () => {
    for (const { stream, input } of mets
      .flat()
      .flatMap(({ result }) => (result.rejected ? [] : result.sends))) {
      const { type, ...data } = input
      const known = definitions[machineOf(stream)]?.inputs[type]
      expect(known?.schema.safeParse(data).success, `${stream} ${type}`).toBe(true)
      expect(known?.kind, `${stream} ${type}: a send cannot be answered no`).toBe("observation")
      expect(id.safeParse(idOf(stream)).success, stream).toBe(true)
    }
  })
})

const textOf = (mets: readonly Met[] | undefined) => mets?.map(met => JSON.stringify(met.result))
// What JSON gives back for a value that JSON holds is a value of the same type.
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
