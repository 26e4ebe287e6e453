/**
 * What can stand between us and a running agent, one code each, with the next step. Paths of programs are named,
 * values of variables never.
 */
import type { Obstacle } from "../../../effects/agent.ts"

const binary = (code: string, explanation: string, retryable = false): Obstacle => ({
  kind: "binary",
  code,
  retryable,
  explanation,
})

export const obstacles = {
  notFound: (what: string) =>
    binary("BINARY_NOT_FOUND", `${what} was not found; install the Cursor CLI, or set HOLDFAST_CURSOR_BIN.`),
  notExecutable: (path: string) =>
    binary("BINARY_NOT_EXECUTABLE", `${path} is not a file that may be executed; check its mode.`),
  wrongFormat: (path: string) =>
    binary(
      "BINARY_WRONG_FORMAT",
      `${path} is not a program for this system or processor; reinstall the CLI.`,
    ),
  noInterpreter: (path: string, interpreter: string) =>
    binary("BINARY_INTERPRETER_MISSING", `${path} needs ${interpreter}, which is not there.`),
  isShim: (path: string) =>
    binary(
      "BINARY_IS_SHIM",
      `${path} is a script for another shell; name the program it starts, or its .cmd.`,
    ),
  isEditor: (path: string) =>
    binary("BINARY_IS_EDITOR", `${path} starts the Cursor editor; name cursor-agent instead.`),
  notCursor: (path: string) =>
    binary("BINARY_NOT_CURSOR", `${path} does not answer like Cursor's CLI; name cursor-agent instead.`),
  unresponsive: (path: string) =>
    binary("BINARY_UNRESPONSIVE", `${path} did not answer --version in time.`, true),
  doesNotRun: (path: string) =>
    binary("BINARY_DOES_NOT_RUN", `${path} could not say its version; run it by hand to see why.`),
  keyMissing: {
    kind: "auth",
    code: "KEY_MISSING",
    retryable: false,
    explanation: "There is no key for Cursor; set CURSOR_API_KEY, or give cursor({ apiKey }).",
  } satisfies Obstacle,
  notLoggedIn: {
    kind: "auth",
    code: "NOT_LOGGED_IN",
    retryable: false,
    explanation: "The CLI is not logged in; run `cursor-agent login`, or set CURSOR_API_KEY.",
  } satisfies Obstacle,
}
