/** A reader's cursor, from the one word that it kept. */
import { type Cursor, parseCursor } from "../../effects/follow/events.ts"
import { Refusal } from "./errors.ts"

/** Throws `CURSOR_INVALID`. */
export function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const cursor = parseCursor(text)
  if (cursor === null) throw new Refusal("CURSOR_INVALID")
  return cursor
}
