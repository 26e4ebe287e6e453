/** The states and rows of a machine, read from what its author wrote, and from nothing that a drawing is made of. */
import type { AnyStateMachine } from "xstate"
import { z } from "zod"

const rows = z
  .union([z.string(), z.looseObject({ target: z.string().optional() })])
  .transform(row => (typeof row === "string" ? { target: row } : row))
const cell = z.union([z.array(rows), rows.transform(row => [row])])
const written: z.ZodType<Written> = z.object({
  on: z.record(z.string(), cell).default({}),
  always: cell.default([]),
  onDone: cell.default([]),
  states: z.lazy(() => z.record(z.string(), written)).default({}),
})
interface Written {
  readonly on: Readonly<Record<string, readonly Target[]>>
  readonly always: readonly Target[]
  readonly onDone: readonly Target[]
  readonly states: Readonly<Record<string, Written>>
}
interface Target {
  readonly target?: string | undefined
}

export interface WrittenRow {
  readonly path: readonly string[]
  /** `always` and `done` for those without an input. */
  readonly input: string
  readonly target: string | null
}

export interface WrittenTable {
  readonly paths: readonly (readonly string[])[]
  readonly rows: readonly WrittenRow[]
}

export function writtenIn(machine: AnyStateMachine): WrittenTable {
  const walk = (state: Written, path: readonly string[]): WrittenTable => {
    const cells = [...Object.entries(state.on), ["always", state.always], ["done", state.onDone]] as const
    const own = cells.flatMap(([input, targets]) =>
      targets.map(({ target }) => ({ path, input, target: target ?? null })),
    )
    const inner = Object.entries(state.states).map(([name, child]) => walk(child, [...path, name]))
    return {
      paths: [...(path.length > 0 || own.length > 0 ? [path] : []), ...inner.flatMap(({ paths }) => paths)],
      rows: [...own, ...inner.flatMap(table => table.rows)],
    }
  }
  return walk(written.parse(machine.config), [])
}
