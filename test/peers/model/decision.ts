/** What the model decides, as data: one decision answers one request. How it goes over the wire is a protocol's job. */
import type { Gate } from "./gate.ts"

/** One thing of an answer. A gate among them holds the answer until the test opens it. */
export type Part =
  /** One message; the pieces arrive one by one, and a gate may stand between two of them. */
  | { readonly kind: "text"; readonly pieces: readonly (string | Gate)[] }
  /** What the model shows of its reasoning. */
  | { readonly kind: "thinking"; readonly text: string }
  /** A tool call: `input` is JSON for a function, and a text for a tool that takes free text. */
  | { readonly kind: "call"; readonly tool: string; readonly input: unknown }
  | { readonly kind: "wait"; readonly gate: Gate }

/** What an answer used, in tokens. `input` includes `cached`, `output` includes `reasoning`. */
export interface Tokens {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

export type Decision =
  /** `ends`: `whole` by default; `dropped` closes the socket, and `stalled` leaves it open, before the last part is done. */
  | {
      readonly kind: "answer"
      readonly parts: readonly Part[]
      readonly ends?: "whole" | "dropped" | "stalled"
      readonly tokens?: Tokens
    }
  /** An HTTP error, with the protocol's own body around `message`. */
  | {
      readonly kind: "error"
      readonly status: number
      readonly message: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Status 200, and then bytes that are no stream of any protocol. */
  | { readonly kind: "garbage"; readonly bytes: string }

/** What every answer costs, unless it says otherwise. */
export const usualTokens: Tokens = { input: 100, cached: 20, output: 10, reasoning: 3 }

/** The model says this, in one piece or several. */
export const says = (...pieces: readonly (string | Gate)[]): Decision => ({
  kind: "answer",
  parts: [{ kind: "text", pieces }],
})

/** The model calls one tool and waits for its result, which is the next request. */
export const calls = (tool: string, input: unknown): Decision => ({
  kind: "answer",
  parts: [{ kind: "call", tool, input }],
})

/** The service refuses the request. */
export const refuses = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Decision => ({ kind: "error", status, message, headers })
