/**
 * Planted faults: copies of a machine with one thing wrong. The same sentences must hold for the machine and
 * fail for the copy, or they prove nothing. The machine itself is never changed.
 */

import { expect, test } from "vitest"
import type { AnyStateMachine, AnyTransitionDefinition } from "xstate"
import { nodesOf } from "../../machines/allowed.ts"
import type { MachineDefinition } from "../../machines/index.ts"
import { type Given, givenOf } from "./given.ts"

export type Fault = (definition: MachineDefinition) => MachineDefinition

/** The guard answers always the same. */
export const guardSays =
  (name: string, answer: boolean): Fault =>
  definition => ({
    ...definition,
    machine: definition.machine.provide({ guards: { [name]: () => answer } }),
  })

/** A row of the table is gone: the `index`th for this input in this state; -1 takes all of them. */
export const rowGone = (state: string, input: string, index = -1): Fault =>
  changed((rows, type) => {
    if (type === input) rows.splice(index === -1 ? 0 : index, index === -1 ? rows.length : 1)
  }, state)

/** The rows for this input in this state are asked in the opposite order. */
export const rowsReversed = (state: string, input: string): Fault =>
  changed((rows, type) => {
    if (type === input) rows.reverse()
  }, state)

/** Rows do something else: the actions of one, or with -1 of all, are replaced; the target stays. */
export const actionsAre = (
  state: string,
  input: string,
  index: number,
  actions: readonly (object | (() => void))[],
): Fault =>
  changed((rows, type) => {
    if (type !== input) return
    for (const [at, row] of rows.entries()) if (index === -1 || index === at) Object.assign(row, { actions })
  }, state)

function changed(change: (rows: AnyTransitionDefinition[], input: string) => void, state: string): Fault {
  return definition => {
    const copy: AnyStateMachine = definition.machine.provide({})
    const node = nodesOf(copy.root).find(candidate => candidate.path.join(".") === state)
    if (node === undefined) throw new TypeError(`${definition.name} has no state ${state}`)
    for (const [input, rows] of node.transitions) change(rows, input)
    if (node.always !== undefined) change(node.always, "always")
    return { ...definition, machine: copy }
  }
}

/** One test for the sentences, one that shows each fault is caught by one of their assertions or by a bound of the schemas. */
export function behaviour(
  title: string,
  definition: MachineDefinition,
  faults: Readonly<Record<string, Fault>>,
  sentences: (given: Given) => void,
): void {
  test(title, () => sentences(givenOf(definition)))
  for (const [name, fault] of Object.entries(faults))
    test(`${title} (planted: ${name})`, () => {
      expect(() => sentences(givenOf(fault(definition)))).toThrow(
        expect.objectContaining({ name: expect.stringMatching(/^(AssertionError|ZodError)$/) }),
      )
    })
}
