/**
 * Whether the agent is installed and ready, for `doctor` and lists of agents. The version is asked of the program
 * itself; a login is read from what `status` prints, since its exit code is 0 in both cases (AU-02). The account's
 * address, which it prints too, goes nowhere.
 */
import { stripVTControlCharacters } from "node:util"
import type { AgentStatus, Obstacle } from "../../../effects/agent.ts"
import type { Located } from "./locate.ts"
import { obstacles } from "./obstacles.ts"
import { ask, readVersion, type Version } from "./version.ts"

export interface StatusQuestion {
  readonly located: Located
  readonly leadingArgs: readonly string[]
  /** For the version: without keys. */
  readonly bareEnvironment: Readonly<Record<string, string>>
  readonly keyObstacle: Obstacle | null
  /** Ask the program about its own login. */
  readonly askLogin: boolean
}

export async function status(question: StatusQuestion): Promise<AgentStatus> {
  const { located, leadingArgs, bareEnvironment } = question
  if (!("binary" in located)) return { installed: false, obstacle: located }
  const { binary } = located
  const version = await readVersion(binary, leadingArgs, bareEnvironment)
  if (version.kind !== "version") return { installed: false, obstacle: versionObstacle(binary, version) }
  const obstacle = question.askLogin
    ? await loginObstacle(binary, leadingArgs, bareEnvironment)
    : question.keyObstacle
  return { installed: true, binary, version: version.version, obstacle }
}

function versionObstacle(binary: string, version: Exclude<Version, { kind: "version" }>): Obstacle {
  if (version.kind === "timedOut") return obstacles.unresponsive(binary)
  return (spawnObstacles[version.code ?? ""] ?? obstacles.doesNotRun)(binary)
}

/** What the system answers to a spawn; Windows says UNKNOWN for a program of another processor. */
const spawnObstacles: Readonly<Record<string, (binary: string) => Obstacle>> = {
  ENOENT: obstacles.notFound,
  EACCES: obstacles.notExecutable,
  EPERM: obstacles.notExecutable,
  ENOEXEC: obstacles.wrongFormat,
  EBADARCH: obstacles.wrongFormat,
  UNKNOWN: obstacles.wrongFormat,
}

async function loginObstacle(
  binary: string,
  leadingArgs: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Obstacle | null> {
  const answer = await ask(binary, [...leadingArgs, "status"], env)
  return answer.kind === "answered" && saysLoggedIn(answer.text) ? null : obstacles.notLoggedIn
}

/** Only the plain words count; anything else is not a login. */
export function saysLoggedIn(text: string): boolean {
  const clean = stripVTControlCharacters(text)
  return /\blogged in as\b/i.test(clean) && !/\bnot logged in\b/i.test(clean)
}
