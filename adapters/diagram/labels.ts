/**
 * The words of a machine's table as a person reads them: guards, and what a transition asks for. They are made from
 * names alone; no guard and no parameter is ever called.
 */
import type { MachineDefinition } from "../../machines/index.ts"

/** `ofThisRun` is "of this run". */
export const inWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()

/** A name, a name with a parameter, a combination of others, or a function. */
export function guardWords(guard: unknown): string {
  if (typeof guard === "string") return inWords(guard)
  const parts = partsOf(guard)
  const name = nameOf(guard).replace(/Guard$/, "")
  if (parts.length > 0)
    return name === "not" ? `not ${parts.join(" ")}` : parts.map(part => `(${part})`).join(` ${name} `)
  // A function that was written in place is named after the key that it stands at.
  if (typeof guard === "function") return ["", "guard"].includes(guard.name) ? "a condition" : inWords(name)
  return [typeOf(guard) ?? "a condition", ...wordsOfParams(paramsOf(guard))].map(inWords).join(" ")
}

/** Pieces of a list, each with the comma behind it. */
export const listed = (items: readonly string[]): readonly string[] =>
  items.map((item, index) => (index < items.length - 1 ? `${item},` : item))

/** At least one line; a piece that is longer than a line stays whole. */
export function folded([first = "", ...pieces]: readonly string[], lineChars: number): readonly string[] {
  const lines = [first]
  for (const piece of pieces) {
    const line = `${lines.at(-1)} ${piece}`
    if (line.length <= lineChars) lines.splice(-1, 1, line)
    else lines.push(piece)
  }
  return lines
}

/** Of a list of actions, what is asked for; assignments are the machine's own business. */
export function requestWords(definition: MachineDefinition, actions: readonly unknown[]): readonly string[] {
  return actions.flatMap(action => {
    const type = typeof action === "string" ? action : typeOf(action)
    if (type === null || type === "xstate.assign") return []
    if (type === "xstate.raise") return ["raise"]
    if (type in definition.effects) return [inWords(type)]
    const [about] = wordsOfParams(paramsOf(action))
    if (about === undefined) return [inWords(type)]
    // Its parameters are named after what is told to whom, which says more than that something is sent.
    return [type === "send" ? inWords(about) : `${inWords(type)} ${inWords(about)}`]
  })
}

function wordsOfParams(params: unknown): readonly string[] {
  if (typeof params === "string") return [params]
  if (typeof params === "function") return ["", "params"].includes(params.name) ? [] : [params.name]
  if (typeof params === "object" && params !== null) return Object.values(params).flatMap(wordsOfParams)
  return params === undefined ? [] : [JSON.stringify(params)]
}
const hasKeys = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"
const typeOf = (value: unknown): string | null =>
  hasKeys(value) && "type" in value ? String(value.type) : null
const paramsOf = (value: unknown): unknown => (hasKeys(value) && "params" in value ? value.params : undefined)
const nameOf = (value: unknown): string => (typeof value === "function" ? value.name : "")
const partsOf = (guard: unknown): string[] =>
  hasKeys(guard) && "guards" in guard && Array.isArray(guard.guards) ? guard.guards.map(guardWords) : []
