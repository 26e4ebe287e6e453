/** Field cases CU, AU and FB: usage, keys, limits and models. What a failure plays already has its name from there. */
import * as refusals from "../refusals.ts"
import type { Json, Scenario } from "../scenario.ts"
import { failures } from "./failures.ts"
import {
  ended,
  failed,
  good,
  hanging,
  opening,
  refused,
  refusedLate,
  type Scenarios,
  says,
  turn,
} from "./parts.ts"

const withUsage = (usage: Json): Scenario => ({
  expect: ended,
  turns: turn(...opening, says("Counted."), { do: "result", usage }),
})
const breaksOffWith = (text: string): Scenario => ({ expect: failed, turns: turn(...refusedLate(text)) })
const wroteAFile = {
  do: "tool",
  kind: "edit",
  args: { path: "done.txt" },
  append: "done\n",
  real: true,
} as const

const manyModels = [
  "auto",
  ...Array.from({ length: 250 }, (_, i) => `family-${i}-thinking-extra-high-fast-$FILL:50`),
]

export const usage: Scenarios = {
  "cu-01": withUsage(null),
  "cu-01-empty": withUsage({}),
  "cu-01-nulls": withUsage({
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
  }),
  "cu-01-strings": withUsage({
    inputTokens: "12",
    outputTokens: "3",
    cacheReadTokens: "0",
    cacheWriteTokens: "0",
  }),
  "cu-01-negative": withUsage({ inputTokens: -5, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 }),
  "cu-01-zero": withUsage({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }),
  "cu-01-extra": withUsage({
    inputTokens: 10,
    outputTokens: 3,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 7,
  }),
  "cu-03": {
    about: "Ended by a limit, with usage on the failed result.",
    expect: { exit: 1, result: true },
    turns: turn(
      ...opening,
      wroteAFile,
      {
        do: "result",
        isError: true,
        subtype: "error",
        text: "Usage limit reached",
        usage: { inputTokens: 900, outputTokens: 40, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
      { do: "exit", code: 1 },
    ),
  },
  "cu-03-unknown": {
    about: "Ended by a limit after a tool had run, with no result at all.",
    expect: failed,
    turns: turn(...opening, wroteAFile, ...refused(refusals.usageLimitPaid)),
  },
  "cu-05": {
    about: "init says how the model is called, not which id was asked for.",
    expect: { ...ended, args: ["--model", "composer-2.5-fast"] },
    turns: good(says("Hello from $MODEL.")),
  },
  "cu-05-effort": {
    expect: { ...ended, args: ["--model", "claude-opus-5-5-xhigh-fast"] },
    turns: good(says("Hello.")),
  },
  "cu-05-unknown": {
    about: "A model that no price table knows.",
    expect: { ...ended, args: ["--model", "brand-new-1"] },
    models: ["auto", "brand-new-1"],
    turns: good(says("Hello.")),
  },
  "cu-06": withUsage({ inputTokens: 4633, outputTokens: 359, cacheReadTokens: 22656, cacheWriteTokens: 0 }),
}

export const accounts: Scenarios = {
  "au-02": failures["not-logged-in"],
  "au-02-older": failures["not-logged-in-older"],
  "au-03": breaksOffWith("Error: Your session has expired. Please run 'agent login' again.\n"),
  "au-03-401": breaksOffWith("ConnectError: [unauthenticated] HTTP 401 Unauthorized\n"),
  "au-03-refresh": breaksOffWith("Error: The access token could not be refreshed.\n"),
  "au-04": failures["keychain-locked"],
  "au-05": {
    about: "Prints the key that it was given, where a host must not keep it.",
    expect: { ...failed, env: { CURSOR_API_KEY: "key_0123456789abcdef0123456789abcdef" } },
    turns: turn(...refusedLate("Error: request failed (authorization: Bearer $KEY)\n")),
  },
}

export const limits: Scenarios = {
  "fb-02": failures["rate-limit-early"],
  "fb-02-retriable": failures["rate-limit-retriable"],
  "fb-02-minified": breaksOffWith("T: [resource_exhausted] Error\n"),
  "fb-02-reset": breaksOffWith(
    "ConnectError: [aborted] read ECONNRESET\nConnectError: [resource_exhausted] Error\n",
  ),
  "fb-02-quota": breaksOffWith(`ConnectError: [resource_exhausted] Error\n${refusals.usageLimitFree}`),
  "fb-02-retry-after": breaksOffWith("ConnectError: [resource_exhausted] Error (retry-after: 30)\n"),
  "fb-04": breaksOffWith(
    '{"error":{"code":"rate_limit_exceeded","status":"RESOURCE_EXHAUSTED","http":429}}\n',
  ),
  "fb-05": {
    about: "A good turn that talks about failures.",
    expect: ended,
    turns: turn(
      ...opening,
      { do: "stderr", text: "took 14290ms\n" },
      says(
        "The log says `401 unauthorized`, then `429`, `resource_exhausted` and: You've hit your usage limit.",
      ),
      {
        do: "result",
        usage: { inputTokens: 14290, outputTokens: 429, cacheReadTokens: 401, cacheWriteTokens: 0 },
      },
    ),
  },
  "fb-07": {
    about: "The model is not there; the error names 251 others, in one line of more than 20 KB.",
    expect: { ...failed, args: ["--model", "retired-1"] },
    models: manyModels.map(id => id.replace("$FILL:50", "x".repeat(50))),
    turns: good(says("Hello from $MODEL.")),
  },
  "fb-08": {
    about: "Works, changes a file, then says nothing more until its host loses patience.",
    expect: hanging,
    turns: turn(...opening, wroteAFile, { do: "hang" }),
  },
}
