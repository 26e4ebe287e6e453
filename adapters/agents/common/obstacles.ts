/**
 * What can stand between us and any agent's program, one code each, with the next step. Paths of programs are
 * named, values of variables never.
 */
import type { Obstacle } from "../../../effects/agent.ts"

export const binaryObstacle = (code: string, explanation: string, retryable = false): Obstacle => ({
  kind: "binary",
  code,
  retryable,
  explanation,
})
const binary = binaryObstacle

export const authObstacle = (code: string, explanation: string): Obstacle => ({
  kind: "auth",
  code,
  retryable: false,
  explanation,
})

export const obstacles = {
  /** `install` says how the program is to be had, e.g. "install the Cursor CLI". */
  notFound: (what: string, install: string) =>
    binary("BINARY_NOT_FOUND", `${what} was not found; ${install}.`),
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
  unresponsive: (path: string) =>
    binary("BINARY_UNRESPONSIVE", `${path} did not answer --version in time.`, true),
  doesNotRun: (path: string) =>
    binary("BINARY_DOES_NOT_RUN", `${path} could not say its version; run it by hand to see why.`),
}
