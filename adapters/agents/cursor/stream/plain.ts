/**
 * Lines that are not of the protocol. They are log text, counted and not shown, unless the agent never spoke
 * the protocol or gave it up: then they are its reply, or its refusal (`conclude.ts` tells which).
 */
import type { ParsedLine } from "../../common/stream/json.ts"
import { limit } from "../../common/stream/limits.ts"
import { clip } from "../../common/stream/text.ts"
import type { CursorState } from "./state.ts"

export function plainLine(state: CursorState, line: Exclude<ParsedLine, { kind: "records" }>): CursorState {
  const counted = line.kind === "text" ? { ...state, notJson: state.notJson + 1 } : state
  const text = line.kind === "text" ? line.text : ""
  // A blank line separates paragraphs of a text that has begun; a full memory takes nothing more.
  if (state.plain === "") return text === "" ? counted : { ...counted, plain: clip(text) }
  if (state.plain.length + 1 >= limit.replyChars) return counted
  return { ...counted, plain: clip(`${state.plain}\n${text}`) }
}

/** Notices that programs print around their output; none is ever an answer (ST-14). */
const banners: readonly RegExp[] = [
  /^using worktree: /i,
  /\b(?:new|newer|latest) version\b.{0,80}\bavailable\b/i,
  /\bupdate available\b/i,
  /^(?:checking for updates|updating|updated) /i,
  /^\(node:\d+\) /,
  /^\(use `node --trace-/i,
  /^npm (?:warn|notice) /i,
]

/** The text without its banners and without blank lines around it. */
export function withoutBanners(plain: string): string {
  return plain
    .split("\n")
    .filter(line => !banners.some(banner => banner.test(line.slice(0, 400).trim())))
    .join("\n")
    .trim()
}
