/**
 * The gate between a scenario file and the player: hand-written checks, so that the agent starts without loading
 * a library. It names the place and what was expected. It must not repair or default anything.
 */
import type {
  Account,
  Expectation,
  Framing,
  Scenario,
  SignalName,
  StepName,
  StepOf,
  When,
} from "./scenario.ts"

/** A scenario that the agent would refuse. The message names the place, e.g. `scenario.turns[0].steps[2].ms`. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError"
}

type Check = (value: unknown, at: string) => void
type Fields<T> = { readonly [K in Exclude<keyof T, "do">]-?: Check }

const fail = (at: string, expected: string): never => {
  throw new ScenarioError(`${at}: expected ${expected}`)
}
const text: Check = (value, at) => typeof value === "string" || fail(at, "a string")
const flag: Check = (value, at) => typeof value === "boolean" || fail(at, "true or false")
const count: Check = (value, at) =>
  (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) ||
  fail(at, "a whole number from 0")
const json: Check = (value, at) => value !== undefined || fail(at, "a JSON value")
const record: Check = (value, at) => isRecord(value) || fail(at, "an object")
const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value, at) =>
    allowed.includes(value) || fail(at, `one of ${allowed.map(one => JSON.stringify(one)).join(", ")}`)
const listOf =
  (check: Check): Check =>
  (value, at) =>
    Array.isArray(value)
      ? value.forEach((one, i) => {
          check(one, `${at}[${i}]`)
        })
      : fail(at, "a list")
const fieldsOf =
  (fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, at) => {
    if (!isRecord(value)) return fail(at, "an object")
    for (const name of required) if (!(name in value)) fail(`${at}.${name}`, "to be there")
    for (const [name, one] of Object.entries(value)) {
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (check === undefined) fail(`${at}.${name}`, `one of the fields ${Object.keys(fields).join(", ")}`)
      else check(one, `${at}.${name}`)
    }
  }
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const signals = [
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "SIGKILL",
  "SIGSEGV",
  "SIGABRT",
] as const satisfies SignalName[]
const signal = oneOf(...signals)
const chunked = { text, chunks: count, splitAt: listOf(count), pieces: listOf(text), waitMs: count }

/** Every field of every step. The type makes a forgotten or misspelt one a compile error. */
const steps: { readonly [K in StepName]: Fields<StepOf<K>> } = {
  init: { model: text, sessionId: flag },
  user: {},
  thinking: chunked,
  text: chunked,
  echoPrompt: { chunks: count },
  tool: {
    kind: text,
    args: record,
    real: flag,
    append: text,
    result: text,
    value: record,
    isBackground: flag,
    description: text,
    waitMs: count,
    callId: text,
    only: oneOf("started", "completed"),
    omitArgs: flag,
  },
  result: {
    text,
    isError: flag,
    subtype: text,
    usage: json,
    flush: oneOf("segment", "turn", "none"),
    remember: flag,
  },
  emit: { event: record, prefix: text, suffix: text },
  raw: { utf8: text, base64: text, splitBytes: count, waitMs: count },
  stderr: { text, times: count, endless: flag, waitMs: count },
  flood: { bytes: count, newline: flag, fd: oneOf(1, 2) },
  wait: { ms: count },
  waitForFile: { path: text },
  touchFile: { path: text },
  waitForStdinEnd: {},
  spawn: { command: text, detached: flag, ignoreSignals: listOf(signal), keepStdout: flag, dropMarker: flag },
  ignoreSignals: { signals: listOf(signal) },
  holdStdoutOpen: { lifeMs: count },
  closeStdout: {},
  truncateOwnStdout: {},
  signal: { name: signal },
  exit: { code: count },
  hang: {},
}

const required: { readonly [K in StepName]?: readonly string[] } = {
  tool: ["kind"],
  emit: ["event"],
  stderr: ["text"],
  flood: ["bytes"],
  wait: ["ms"],
  waitForFile: ["path"],
  touchFile: ["path"],
  spawn: ["command"],
  ignoreSignals: ["signals"],
  signal: ["name"],
  exit: ["code"],
}

const isStepName = (name: unknown): name is StepName => typeof name === "string" && Object.hasOwn(steps, name)

const step: Check = (value, at) => {
  if (!isRecord(value)) return fail(at, "an object")
  const name = value.do
  if (!isStepName(name)) return fail(`${at}.do`, `a step (${Object.keys(steps).join(", ")})`)
  fieldsOf({ do: text, ...steps[name] }, required[name])(value, at)
}

const when: Fields<When> = {
  promptIncludes: text,
  resumed: flag,
  remembers: flag,
  turn: count,
  model: text,
  startsUpTo: count,
}
const turns = listOf(fieldsOf({ when: fieldsOf(when), steps: listOf(step) }, ["steps"]))
const account: Fields<Account> = { keyRequired: flag, validKeys: listOf(text), plan: oneOf("pro", "free") }
const framing: Fields<Framing> = {
  lineEnd: oneOf("\n", "\r\n"),
  byteOrderMark: flag,
  finalNewline: flag,
  splitBytes: count,
  to: oneOf("stdout", "stderr", "both"),
}
const expectation: Fields<Expectation> = {
  args: listOf(text),
  env: record,
  exit: count,
  signal,
  hangs: flag,
  result: flag,
}
const scenario: Fields<Scenario> = {
  about: text,
  expect: fieldsOf(expectation),
  account: fieldsOf(account),
  models: listOf(text),
  framing: fieldsOf(framing),
  starts: turns,
  turns,
}

/** Throws a `ScenarioError` that names the first thing that does not fit. */
export const checkScenario = (value: unknown): Scenario => {
  fieldsOf(scenario, ["turns"])(value, "scenario")
  // Every field has just been checked against the table of its type.
  return value as Scenario
}
