/**
 * What Codex says when a turn fails, as one list. The first row that matches wins, so the order is part of what they
 * say. From public reports and from runs of 0.171.0 against a server that refuses. A sentence never quotes what was
 * matched. `retryable` for a limit or a missing model also means: another agent or model may take the turn.
 */
import { httpStatus } from "../common/failures/phrase.ts"
import { type FailureRule, type Row, ruleOf } from "../common/failures/rule.ts"

const login: readonly Row[] = [
  [
    "auth",
    "KEY_MISSING",
    "final",
    [/\bmissing environment variable\b/],
    "The variable that the model provider names as its key is not set; set it, and name it in codex({ keyVariables }).",
  ],
  [
    "auth",
    "AUTH_EXPIRED",
    "final",
    [/\b(?:access|refresh) token\b.{0,80}\b(?:expired|could not be refreshed|revoked)\b/, "token_expired"],
    "The login has expired; log in again with `codex login`, or set CODEX_API_KEY.",
  ],
]

const models: readonly Row[] = [
  [
    "config",
    "MODEL_UNKNOWN",
    "final",
    [
      "model_not_found",
      /\bmodel\b.{0,120}\b(?:does not exist|is not supported|is not a valid model)\b/,
      /\bunknown model\b/,
    ],
    "The service does not know this model, or the account may not use it; name another one.",
  ],
  [
    "overloaded",
    "MODEL_AT_CAPACITY",
    "retryable",
    [/\bmodel is at capacity\b/],
    "This model has no capacity at the moment; another one may.",
  ],
]

const limits: readonly Row[] = [
  [
    "quota",
    "QUOTA_EXHAUSTED",
    "retryable",
    ["usage limit", "insufficient_quota", "quota exceeded", "exceeded your current quota", "out of credits"],
    "The account has used up its usage; wait for the reset, or use another plan or model.",
  ],
  [
    "rateLimited",
    "RATE_LIMITED",
    "retryable",
    [/\brate[- _]?limit(?:ed|s|ing|_exceeded|_error)?\b/, "too many requests", httpStatus(429)],
    "The service asks to wait before the next request.",
  ],
  [
    "overloaded",
    "SERVICE_OVERLOADED",
    "retryable",
    ["overloaded", "at capacity", "high demand", "service unavailable", httpStatus(503), httpStatus(529)],
    "The service is overloaded; try again later.",
  ],
]

const conversation: readonly Row[] = [
  [
    "busy",
    "CONVERSATION_BUSY",
    "retryable",
    [/\bthread\b.{0,80}\balready has an active writer\b/],
    "Another process holds this conversation; end it, or wait until it is done.",
  ],
  [
    "resumeLost",
    "RESUME_LOST",
    "final",
    [
      /\bno rollout found for thread\b/,
      /\bfailed to read session metadata\b/,
      /\bthread(?: id)?(?: \S{1,80})? (?:was )?not found\b/,
      "invalid thread id",
    ],
    "The agent no longer has the conversation that was to be resumed.",
    { breaksConversation: true },
  ],
  [
    "context",
    "CONTEXT_TOO_LONG",
    "final",
    [
      "context_length_exceeded",
      /\bran out of room in the model.{0,3}s context\b/,
      /\bcontext[- _](?:length|window)\b.{0,40}\bexceed|\bexceed\w*\b.{0,60}\bcontext[- _](?:length|window)\b/,
    ],
    "The conversation and the prompt are too long for the model; start a new session.",
    { breaksConversation: true },
  ],
]

const access: readonly Row[] = [
  [
    "auth",
    "AUTH_REQUIRED",
    "final",
    ["not logged in", "invalid_api_key", "incorrect api key", httpStatus(401)],
    "The service does not accept the key; set CODEX_API_KEY, or the variable that the model provider names.",
  ],
  [
    "auth",
    "ACCESS_DENIED",
    "final",
    [httpStatus(403)],
    "The account may not do this; check its plan and the key's project.",
  ],
]

const surroundings: readonly Row[] = [
  [
    "config",
    "CONFIG_INVALID",
    "final",
    [
      /\berror (?:loading|parsing) (?:the )?config/,
      /\bfailed to (?:load|parse) config/,
      "invalid configuration",
    ],
    "Codex cannot read its configuration; check config.toml and codex({ config }).",
  ],
  [
    "config",
    "PROVIDER_UNKNOWN",
    "final",
    [/\bmodel provider\b.{0,80}\bnot found\b/],
    "The configuration names a model provider that it does not describe; add it to config.toml or codex({ config }).",
  ],
  [
    "config",
    "FLAG_REJECTED",
    "final",
    [/\bunexpected argument\b/, /\binvalid value\b.{0,80}\bfor\b/],
    "This build of Codex does not know one of the flags; update it.",
  ],
  [
    "network",
    "STREAM_LOST",
    "retryable",
    ["stream disconnected before completion", /\bidle timeout waiting for\b/, "stream closed before"],
    "The connection was lost in the middle of the answer, and Codex gave up trying again.",
  ],
  [
    "network",
    "NETWORK_UNREACHABLE",
    "retryable",
    [
      /\berror sending request\b/,
      /\b(?:connection refused|connection reset|dns error|failed to lookup address)\b/,
      /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b/,
      /\b(?:self[- ]signed certificate|invalid peer certificate)\b/,
    ],
    "The service cannot be reached; check the connection, the proxy and its certificates.",
  ],
  [
    "network",
    "REQUEST_TIMED_OUT",
    "retryable",
    ["request timed out", "operation timed out", httpStatus(408), httpStatus(504)],
    "The service did not answer in time.",
  ],
  [
    "agent",
    "SERVICE_ERROR",
    "retryable",
    ["internal server error", httpStatus(500), httpStatus(502)],
    "The service reported an error of its own; try again later.",
  ],
  [
    "config",
    "REQUEST_REJECTED",
    "final",
    ["invalid_request_error", httpStatus(400), httpStatus(404)],
    "The service refuses this request as it is; check the model and the model provider.",
  ],
]

export const codexFailures: readonly FailureRule[] = [
  ...login,
  ...models,
  ...limits,
  ...conversation,
  ...access,
  ...surroundings,
].map(ruleOf)
