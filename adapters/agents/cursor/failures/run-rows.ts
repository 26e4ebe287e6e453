/**
 * Rows of the failure table about the run: its conversation, its folder, its way to the service. From public
 * reports on builds 2026.01 to 2026.09. A sentence never quotes what was matched.
 */
import { httpStatus } from "../../common/failures/phrase.ts"
import type { Row } from "../../common/failures/rule.ts"

export const conversation: readonly Row[] = [
  [
    "busy",
    "CONVERSATION_BUSY",
    "retryable",
    [
      /\bchat\b.{0,200}\bmay still be running\b/,
      "persistent chat ownership is currently changing",
      /\b(?:chat|session)\b.{0,80}\bis already (?:in use|running)\b/,
    ],
    "Another process holds this conversation; end it, or wait until it is done.",
  ],
  [
    "resumeLost",
    "RESUME_LOST",
    "final",
    [
      "failed to claim persistent session",
      "chat id must be a uuid",
      "no conversation found",
      /\b(?:chat|conversation|session)(?: \S{1,80})? (?:was )?not found\b/,
    ],
    "The agent no longer has the conversation that was to be resumed.",
    { breaksConversation: true },
  ],
  [
    "context",
    "CONTEXT_TOO_LONG",
    "final",
    [
      "prompt is too long",
      /\bcontext[- _](?:length|window)\b.{0,40}\bexceed|\bexceed\w*\b.{0,60}\bcontext[- _](?:length|window)\b/,
      "maximum context length",
    ],
    "The conversation and the prompt are too long for the model; start a new session.",
    { breaksConversation: true },
  ],
]

export const surroundings: readonly Row[] = [
  [
    "config",
    "WORKSPACE_UNTRUSTED",
    "final",
    ["workspace trust required", "do you trust the contents of this directory"],
    "Cursor refuses to work in a folder it was not told to trust, although it was; update the CLI.",
  ],
  [
    "transient",
    "CONFIG_RACE",
    "retryable",
    [/\b(?:ENOENT|EPERM|EACCES|EBUSY)\b.*\brename\b.*cli-config\.json/],
    "Two starts of the CLI raced on its configuration file; nothing was done, and the same again may work.",
  ],
  [
    "config",
    "FLAG_REJECTED",
    "final",
    [/\b(?:unknown|invalid|unrecognized) (?:option|argument|flag)\b/],
    "This build of the CLI does not know one of the flags; update it, or remove it from extraArgs.",
  ],
  [
    "network",
    "NETWORK_UNREACHABLE",
    "retryable",
    [
      "check your internet connection",
      /\[unavailable\]/,
      /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\b/,
      "fetch failed",
      "socket hang up",
      "network error",
      /\b(?:self[- ]signed certificate|unable to (?:get|verify) .{0,30}certificate)\b/,
    ],
    "Cursor cannot be reached; check the connection, the proxy and its certificates.",
  ],
  [
    "network",
    "REQUEST_TIMED_OUT",
    "retryable",
    ["request timed out", "connection timed out", /\[deadline_exceeded\]/, "deadline exceeded"],
    "Cursor's service did not answer in time.",
  ],
  [
    "agent",
    "SERVICE_ERROR",
    "retryable",
    [/\[internal\]/, "internal server error", httpStatus(500), httpStatus(502)],
    "Cursor's service reported an error of its own; try again later.",
  ],
  [
    "crashed",
    "AGENT_OUT_OF_MEMORY",
    "final",
    ["javascript heap out of memory", "cannot allocate memory"],
    "The agent ran out of memory.",
  ],
  ["crashed", "AGENT_ABORTED", "final", ["aborting operation"], "The agent was told to stop, and did."],
  [
    "config",
    "ACTION_REQUIRED",
    "final",
    [/\bActionRequiredError\b/],
    "Cursor asks for something to be done in the account before it goes on.",
  ],
]
