/** Text of an agent, cut to what may be kept or shown. Never through a character. */
import { limit } from "./limits.ts"

/** At most `limit.replyChars`. */
export function clip(text: string): string {
  if (text.length <= limit.replyChars) return text
  const last = text.charCodeAt(limit.replyChars - 1)
  const splitsPair = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, limit.replyChars - (splitsPair ? 1 : 0))
}

/** White space and control characters become single spaces. */
export function oneLine(text: string, maxChars: number): string {
  // Cut before the replacement, so that a megabyte of arguments costs nothing.
  const line = text
    .slice(0, maxChars * 2)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line
}

/** What a tool call is about, behind its name; the name alone when nothing says. */
export function titled(name: string, subject: string | null): string {
  return oneLine(subject === null || subject === name ? name : `${name}: ${subject}`, limit.titleChars)
}
