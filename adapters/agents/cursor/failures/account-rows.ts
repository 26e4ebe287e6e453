/**
 * Rows of the failure table about the account: login, models, limits. From public reports on builds 2026.01 to
 * 2026.09. A sentence never quotes what was matched.
 *
 * `retryable` for a limit or a missing model also means: another agent or model may take the turn.
 */
import { httpStatus } from "../../common/failures/phrase.ts"
import type { Row } from "../../common/failures/rule.ts"

export const login: readonly Row[] = [
  [
    "auth",
    "AUTH_KEY_INVALID",
    "final",
    [/\bapi key is invalid\b/, "invalid api key"],
    "Cursor does not accept the API key; create a new one and set CURSOR_API_KEY.",
  ],
  [
    "auth",
    "AUTH_KEYCHAIN_LOCKED",
    "final",
    [/\bkeychain\b.{0,80}\blocked\b|\blocked\b.{0,40}\bkeychain\b/, "errSecInteractionNotAllowed"],
    "The keychain that holds the login is locked; unlock it, or set CURSOR_API_KEY, or AGENT_CLI_CREDENTIAL_STORE=file.",
  ],
  [
    "auth",
    "AUTH_EXPIRED",
    "final",
    [
      /\b(?:session|token|login|credentials?)\b(?: has| have| is)? expired\b/,
      "could not be refreshed",
      "token refresh failed",
      "invalid_grant",
    ],
    "The login has expired; log in again with `cursor-agent login`, or set CURSOR_API_KEY.",
  ],
]

/** Below the limits: a service that is full also answers with statuses that look like refusals. */
export const access: readonly Row[] = [
  [
    "auth",
    "AUTH_REQUIRED",
    "final",
    ["authentication required", "not logged in", "not authenticated", /\[unauthenticated\]/, httpStatus(401)],
    "Cursor asks for a login; set CURSOR_API_KEY, or log in with `cursor-agent login`.",
  ],
  [
    "auth",
    "ACCESS_DENIED",
    "final",
    [/\[permission_denied\]/, httpStatus(403)],
    "The account may not do this; check its plan and the key's team.",
  ],
]

export const models: readonly Row[] = [
  [
    "config",
    "MODEL_UNKNOWN",
    "final",
    ["cannot use this model"],
    "Cursor does not know this model; choose one of those it lists.",
    { detail: availableModels },
  ],
  [
    "modelUnavailable",
    "MODEL_NOT_IN_PLAN",
    "retryable",
    ["named models unavailable"],
    "The account's plan only has the model auto; ask for auto, or upgrade the plan.",
  ],
  [
    "modelUnavailable",
    "MODEL_UNAVAILABLE",
    "retryable",
    [
      /\bmodel\b.{0,80}\b(?:is|was) (?:currently |temporarily )?(?:unavailable|not available|disabled)\b/,
      "model_not_available",
      "model unavailable",
    ],
    "This model cannot be had at the moment; another one may.",
  ],
]

export const limits: readonly Row[] = [
  [
    "quota",
    "QUOTA_EXHAUSTED",
    "retryable",
    [
      "usage limit",
      "usage limits",
      "spend limit",
      "insufficient_quota",
      "quota exceeded",
      "exceeded your quota",
      "exceeded your current quota",
      "out of credits",
    ],
    "The account has used up its usage; switch models, set a spend limit, or wait for the reset.",
    { detail: resetDate },
  ],
  [
    "rateLimited",
    "RATE_LIMITED",
    "retryable",
    [/\brate[- _]?limit(?:ed|s|ing|_exceeded|_error)?\b/, "too many requests", httpStatus(429)],
    "Cursor asks to wait before the next request.",
  ],
  [
    "overloaded",
    "SERVICE_EXHAUSTED",
    "retryable",
    // Without words of quota it is capacity, for minutes up to half an hour (FB-02).
    [/\[resource_exhausted\]/, "resource_exhausted"],
    "Cursor has no capacity for this request at the moment; try again later.",
  ],
  [
    "overloaded",
    "SERVICE_OVERLOADED",
    "retryable",
    [
      "overloaded",
      "overloaded_error",
      "at capacity",
      "high demand",
      "service unavailable",
      httpStatus(503),
      httpStatus(529),
    ],
    "Cursor is overloaded; try again later.",
  ],
]

const maxModelsShown = 5

/** The list has hundreds of ids on one line; a few show what an id looks like (FB-07). */
function availableModels(text: string): string | null {
  const list = /available models:\s*([^\n]*)/i.exec(text)?.[1] ?? ""
  const ids = list
    .split(",")
    .slice(0, 100)
    .map(id => id.trim())
    .filter(id => /^[\w.-]{1,32}$/.test(id))
  const more = ids.length > maxModelsShown ? ", …" : ""
  return ids.length === 0 ? null : `For example: ${ids.slice(0, maxModelsShown).join(", ")}${more}.`
}

function resetDate(text: string): string | null {
  const date = /\b(?:reset|resets|ends)\b[^\n]{0,80}?\bon (\d{1,4}[/-]\d{1,2}[/-]\d{1,4})/i.exec(text)?.[1]
  return date === undefined ? null : `The limits reset on ${date}.`
}
