/**
 * Colours for a person's terminal: none where there is no terminal, and none where `NO_COLOR` is set. Nothing else
 * in the command writes an escape sequence.
 */
import type { WriteStream } from "node:tty"
import colours from "yoctocolors"

export type Paint = (text: string) => string
export interface Palette {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

const plain: Paint = text => text
const noColours: Palette = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }

export function paletteOf(stream: WriteStream): Palette {
  const { NO_COLOR } = process.env
  const refused = NO_COLOR !== undefined && NO_COLOR !== ""
  return stream.isTTY === true && !refused && stream.hasColors() ? colours : noColours
}

/** Text of an agent, for a screen: it may hold any bytes, and none of them may steer the terminal. */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, char => (char === "\n" || char === "\t" ? char : ""))
}
