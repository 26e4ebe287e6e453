/** One line for each tool call, when it is over: what it was, how it went, how long it took. It prints nothing. */

import { harmless, type Palette } from "../colours.ts"
import { formatDuration } from "../duration.ts"
import type { Told } from "./view.ts"

type Started = Extract<Told, { readonly type: "tool.started" }>
type Completed = Extract<Told, { readonly type: "tool.completed" }>

export class ToolLines {
  readonly #paint: Palette
  readonly #timed: boolean
  readonly #open = new Map<string, { readonly title: string; readonly since: number }>()

  constructor(paint: Palette, timed: boolean) {
    this.#paint = paint
    this.#timed = timed
  }

  started({ call, title }: Started): void {
    this.#open.set(call, { title, since: performance.now() })
  }

  completed({ call, name, status }: Completed): string {
    const { title, since } = this.#open.get(call) ?? { title: name, since: null }
    this.#open.delete(call)
    const { green, red, yellow, dim } = this.#paint
    const mark = { ok: green("✓"), failed: red("✗ failed"), denied: yellow("✗ denied") }[status]
    const took = this.#timed && since !== null ? dim(` ${formatDuration(performance.now() - since)}`) : ""
    return `  ${mark} ${harmless(title)}${took}`
  }
}
