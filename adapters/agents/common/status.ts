/**
 * Whether the agent is installed and ready, for `doctor` and lists of agents. The version is asked of the program
 * itself, and so is a login; an account's address, which it may print too, goes nowhere.
 */
import type { AgentStatus, Obstacle } from "../../../effects/agent.ts"
import type { Located } from "./locate.ts"
import { obstacles } from "./obstacles.ts"
import { type Answered, ask, readVersion, type Version } from "./version.ts"

export interface StatusQuestion {
  readonly located: Located
  readonly leadingArgs: readonly string[]
  /** For the version: without keys. */
  readonly bareEnvironment: Readonly<Record<string, string>>
  readonly keyObstacle: Obstacle | null
  /** Given where the program's own login takes the place of a key. */
  readonly login: LoginQuestion | null
}

/** How to ask the program whether it is logged in, and what its answer means. */
export interface LoginQuestion {
  readonly args: readonly string[]
  readonly isLoggedIn: (answer: Answered) => boolean
  readonly obstacle: Obstacle
}

export async function status(question: StatusQuestion): Promise<AgentStatus> {
  const { located, leadingArgs, bareEnvironment } = question
  if (!("binary" in located)) return { installed: false, obstacle: located }
  const { binary } = located
  const version = await readVersion(binary, leadingArgs, bareEnvironment)
  if (version.kind !== "version") return { installed: false, obstacle: versionObstacle(binary, version) }
  const obstacle =
    question.login === null ? question.keyObstacle : await loginObstacle(binary, question, question.login)
  return { installed: true, binary, version: version.version, obstacle }
}

function versionObstacle(binary: string, version: Exclude<Version, { kind: "version" }>): Obstacle {
  if (version.kind === "timedOut") return obstacles.unresponsive(binary)
  return (spawnObstacles[version.code ?? ""] ?? obstacles.doesNotRun)(binary)
}

/** What the system answers to a spawn; Windows says UNKNOWN for a program of another processor. */
const spawnObstacles: Readonly<Record<string, (binary: string) => Obstacle>> = {
  ENOENT: path => obstacles.notFound(path, "it was there a moment ago; look again"),
  EACCES: obstacles.notExecutable,
  EPERM: obstacles.notExecutable,
  ENOEXEC: obstacles.wrongFormat,
  EBADARCH: obstacles.wrongFormat,
  UNKNOWN: obstacles.wrongFormat,
}

async function loginObstacle(
  binary: string,
  { leadingArgs, bareEnvironment }: StatusQuestion,
  { args, isLoggedIn, obstacle }: LoginQuestion,
): Promise<Obstacle | null> {
  const answer = await ask(binary, [...leadingArgs, ...args], bareEnvironment)
  return answer.kind === "answered" && isLoggedIn(answer) ? null : obstacle
}
