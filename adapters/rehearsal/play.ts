/**
 * Plays the steps of a turn, one after the other: one function per step. A step that is about the process and not
 * about the reply can also be played before the prompt was read (`processSteps`). It returns when the steps are
 * over; how the process ends is the business of `agent.ts`.
 */
import { existsSync, writeFileSync } from "node:fs"
import { setTimeout as delay, setImmediate as nextTick } from "node:timers/promises"
import { displayName } from "./models.ts"
import type { Chunked, Json, ResultStep, Step, StepName, StepOf } from "./scenario.ts"
import { ScenarioError } from "./scenario-check.ts"
import { fill, fillJson, fillRecord, type Stage, type Wings } from "./stage.ts"
import { piecesOf } from "./text.ts"
import { type OpenCalls, playTool } from "./tools.ts"

const FILE_POLL_MS = 5
const FLOOD_PIECE_BYTES = 64 * 1024

type Players<W, Names extends StepName> = { readonly [K in Names]: (step: StepOf<K>, at: W) => Promise<void> }
type ReplyStepName = "init" | "user" | "thinking" | "text" | "echoPrompt" | "result" | "emit"
type ProcessStepName = Exclude<StepName, ReplyStepName | "tool">

const processSteps: Players<Wings, ProcessStepName> = {
  raw: async (step, { out, pause }) => {
    await pause(step.waitMs)
    await out.bytes(
      Buffer.from(step.utf8 ?? step.base64 ?? "", step.utf8 === undefined ? "base64" : "utf8"),
      step.splitBytes,
    )
  },
  stderr: async (step, wings) => {
    const text = Buffer.from(fill(step.text, wings))
    for (let i = 0; step.endless === true || i < (step.times ?? 1); i++) {
      wings.out.complain(text)
      await (step.waitMs === undefined ? nextTick() : wings.pause(step.waitMs))
    }
  },
  flood: async ({ bytes, newline, fd }, { out }) => {
    const piece = Buffer.alloc(FLOOD_PIECE_BYTES, "x")
    for (let left = bytes; left > 0; left -= piece.length) {
      const part = piece.subarray(0, Math.min(left, piece.length))
      if (fd === 2) out.complain(part)
      else await out.bytes(part)
      await nextTick()
    }
    if (newline === true) await (fd === 2 ? out.complain("\n") : out.bytes(Buffer.from("\n")))
  },
  wait: ({ ms }, { pause }) => pause(ms),
  waitForFile: async ({ path }, wings) => {
    const file = fill(path, wings)
    if (!existsSync(file)) wings.journal.note({ event: "waiting", for: "file" })
    while (!existsSync(file)) await delay(FILE_POLL_MS)
  },
  touchFile: async ({ path }, wings) => writeFileSync(fill(path, wings), ""),
  waitForStdinEnd: (_, { journal }) => {
    journal.note({ event: "waiting", for: "stdin" })
    return stdinEnd()
  },
  spawn: async (step, { children, ...wings }) =>
    children.leaveBehind({ ...step, command: fill(step.command, { children, ...wings }) }),
  ignoreSignals: async (step, { signals }) => signals.ignore(step.signals),
  holdStdoutOpen: async ({ lifeMs }, { children }) => children.holdStdout(lifeMs),
  closeStdout: async (_, { out }) => out.close(),
  truncateOwnStdout: async (_, { out }) => out.truncate(),
  signal: ({ name }, { signals }) => signals.raise(name),
  exit: async ({ code }, { leave }) => leave(code),
  hang: (_, { journal }) => {
    journal.note({ event: "waiting", for: "ever" })
    return new Promise<never>(() => undefined)
  },
}

const replySteps: Players<Stage, ReplyStepName> = {
  init: (step, { stream, chat, cwd, keySource, model }) =>
    stream.event({
      type: "system",
      subtype: "init",
      apiKeySource: keySource,
      cwd,
      ...(step.sessionId !== false && { session_id: chat.id }),
      model: step.model ?? displayName(model),
      permissionMode: "default",
    }),
  user: (_, { stream, chat, prompt }) =>
    stream.event({
      type: "user",
      message: { role: "user", content: [{ type: "text", text: prompt }] },
      session_id: chat.id,
    }),
  thinking: async (step, stage) => {
    await inPieces(step, stage, delta => stage.stream.thought(delta))
    await stage.stream.thought(null)
  },
  text: (step, stage) => inPieces(step, stage, delta => stage.stream.say(delta)),
  echoPrompt: async ({ chunks }, { prompt, stream }) => {
    for (const piece of piecesOf({ text: prompt, chunks: chunks ?? 1 })) await stream.say(piece)
  },
  result: async (step, stage) => {
    const { chat, stream, journal } = stage
    const filled: ResultStep = step.text === undefined ? step : { ...step, text: fill(step.text, stage) }
    // Before the line: whoever has seen the result may rely on the chat.
    if (step.remember !== false && step.isError !== true) {
      chat.remember({ prompt: stage.prompt, reply: filled.text ?? stream.said() })
      journal.note({ event: "remembered", session: chat.id, turn: chat.said.length + 1 })
    }
    await stream.finish(filled, step.usage === undefined ? counted(stage) : fillJson(step.usage, stage))
  },
  emit: async (step, stage) => {
    const event = fillRecord(step.event, stage)
    if (step.prefix === undefined && step.suffix === undefined) return stage.stream.event(event)
    await stage.out.bytes(Buffer.from(`${step.prefix ?? ""}${JSON.stringify(event)}${step.suffix ?? "\n"}`))
  },
}

const inPieces = async (
  step: Chunked,
  stage: Stage,
  say: (piece: string) => Promise<void>,
): Promise<void> => {
  const { text } = step
  const filled = text === undefined ? step : { ...step, text: fill(text, stage) }
  for (const [index, piece] of piecesOf(filled).entries()) {
    if (index > 0) await stage.pause(step.waitMs)
    await say(step.pieces === undefined ? piece : fill(piece, stage))
  }
}

/** About four characters to a token; what a chat already knows is read from the cache. */
const counted = ({ prompt, chat, stream }: Stage): Json => ({
  inputTokens: 100 + Math.ceil(prompt.length / 4),
  outputTokens: Math.ceil(stream.said().length / 4),
  cacheReadTokens: 2048 * (chat.said.length + 1),
  cacheWriteTokens: 0,
})

const stdinEnd = async (): Promise<void> => {
  if (process.stdin.readableEnded) return
  process.stdin.resume()
  await new Promise<void>(resolve => process.stdin.once("close", () => resolve()))
}

const isReplyStep = (step: Step): step is StepOf<ReplyStepName> => step.do in replySteps

// The tables pair every step with its player by name; the compiler cannot follow that pairing through a lookup.
const player = <W, S extends Step>(table: object, step: S): ((step: S, at: W) => Promise<void>) =>
  Reflect.get(table, step.do) as (step: S, at: W) => Promise<void>

export const playTurn = async (steps: readonly Step[], stage: Stage): Promise<void> => {
  const open: OpenCalls = new Map()
  for (const step of steps) {
    if (step.do === "tool") await playTool(step, stage, open)
    else if (isReplyStep(step)) await player<Stage, typeof step>(replySteps, step)(step, stage)
    else await player<Wings, typeof step>(processSteps, step)(step, stage)
  }
}

/** Before the prompt: there is no chat and no reply yet. */
export const playStart = async (steps: readonly Step[], wings: Wings): Promise<void> => {
  for (const step of steps) {
    if (step.do === "tool" || isReplyStep(step))
      throw new ScenarioError(`scenario.starts: the step ${step.do} needs a prompt; it belongs into "turns"`)
    await player<Wings, typeof step>(processSteps, step)(step, wings)
  }
}
