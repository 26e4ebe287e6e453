/** A position of the log, as a flag. */
import { InvalidArgumentError } from "commander"

export function parsePosition(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("A position is a whole number.")
  return Number(text)
}
