/**
 * The reply as it is streamed. Which lines are new text is decided by their fields, never by comparing texts:
 * models repeat themselves, and a comparison would swallow what they meant (ST-02). The only exceptions are
 * replays that the agent announced with `retry`, and builds that do not stream at all.
 */
import { limit } from "../../common/stream/limits.ts"
import { clip } from "../../common/stream/text.ts"

export interface Reply {
  /** All text so far, at most `limit.replyChars`. */
  readonly text: string
  /** Where the block that is being written starts in `text`. */
  readonly blockStart: number
  readonly block: number
  readonly truncated: boolean
  /** Streamed pieces seen; 0 means a build that sends whole segments. */
  readonly deltas: number
  /** The flush that ends a turn was seen: nothing of the reply is missing. */
  readonly flushed: boolean
  /** After a `retry`: what may come again, and how much of it has come. */
  readonly replay: { readonly expected: string; readonly held: string } | null
}

export interface ReplyStep {
  readonly reply: Reply
  /** What is new to a reader, in `block`; "" for nothing. */
  readonly added: string
  readonly block: number
  /** The limit was reached by this very step. */
  readonly overflowed: boolean
}

export const emptyReply: Reply = {
  text: "",
  blockStart: 0,
  block: 0,
  truncated: false,
  deltas: 0,
  flushed: false,
  replay: null,
}

/** One streamed piece. */
export function streamed(reply: Reply, piece: string): ReplyStep {
  const counted = { ...reply, deltas: reply.deltas + 1 }
  if (reply.replay === null) return append(counted, piece)
  const { expected, held } = reply.replay
  const seen = held + piece
  // Nothing can be taken back from a reader, so a possible replay is held until it is one, or is not.
  if (seen.length < expected.length && expected.startsWith(seen)) {
    return unchanged({ ...counted, replay: { expected, held: seen } })
  }
  const fresh = seen.startsWith(expected) ? seen.slice(expected.length) : seen
  return append({ ...counted, replay: null }, fresh)
}

/** A whole segment. It repeats what was streamed, unless the build does not stream. */
export function segment(reply: Reply, text: string, isLast: boolean): ReplyStep {
  const flushed = { ...reply, flushed: reply.flushed || isLast }
  if (reply.deltas > 0) return unchanged(flushed)
  // The last segment repeats the whole turn on some builds.
  const repeats = isLast && reply.text !== "" && text.startsWith(reply.text)
  return append(flushed, repeats ? text.slice(reply.text.length) : text)
}

/** A tool call ends the block; nothing joins the texts on its two sides. */
export function endBlock(reply: Reply): ReplyStep {
  const held = reply.replay?.held ?? ""
  const step = append({ ...reply, replay: null }, held)
  const settled = step.reply
  if (settled.text.length === settled.blockStart) return step
  return {
    ...step,
    reply: { ...settled, block: settled.block + 1, blockStart: settled.text.length, flushed: false },
  }
}

/** The agent lost its connection and starts this block again. */
export function retried(reply: Reply): Reply {
  const expected = reply.text.slice(reply.blockStart)
  return expected === "" || reply.truncated ? reply : { ...reply, replay: { expected, held: "" } }
}

function append(reply: Reply, piece: string): ReplyStep {
  if (piece === "") return unchanged(reply)
  const step = { added: piece, block: reply.block }
  // A reader still gets the piece; it is only no longer remembered.
  if (reply.truncated) return { ...step, reply, overflowed: false }
  const text = reply.text + piece
  const overflowed = text.length > limit.replyChars
  return {
    ...step,
    reply: { ...reply, text: overflowed ? clip(text) : text, truncated: overflowed },
    overflowed,
  }
}

const unchanged = (reply: Reply): ReplyStep => ({ reply, added: "", block: reply.block, overflowed: false })
