/**
 * Whether an agent that this process starts would outlive it, as far as the surroundings tell: systemd, containers
 * and CI runners end what is left. It can only know of those that it can see.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import type { Environment } from "../../../effects/agent.ts"
import { type Finding, fine, warning } from "./finding.ts"

export interface Surroundings {
  /** Text of /proc/self/cgroup; "" where there is none. */
  readonly cgroup: string
  /** Name of the process 1; "" when unknown. */
  readonly init: string
  readonly container: boolean
  readonly ci: boolean
  /** Of a systemd unit; "" when systemd does not say. */
  readonly killMode: (unit: Unit) => string
}
export interface Unit {
  readonly name: string
  /** Of a user's own manager. */
  readonly user: boolean
}

const inits = new Set(
  "systemd init tini tini-static dumb-init docker-init catatonit s6-svscan runit runsvdir launchd".split(" "),
)

export function survival({ cgroup, init, container, ci, killMode }: Surroundings): readonly Finding[] {
  const unit = unitOf(cgroup)
  const mode = unit === null ? "" : killMode(unit)
  const found: Finding[] = []
  if (unit !== null && mode !== "process" && mode !== "none")
    found.push(
      warning(
        "KILL_MODE",
        `This runs in the systemd unit ${unit.name} with KillMode=${mode === "" ? "unknown" : mode}: agents end with it. Set KillMode=process there.`,
      ),
    )
  if (container && !inits.has(init))
    found.push(
      warning(
        "CONTAINER_WITHOUT_INIT",
        `This container ends with its main process (${init === "" ? "unknown" : init}), and so do agents. Start it with an init (\`docker run --init\`), and the host beside it.`,
      ),
    )
  if (ci)
    found.push(
      warning("CI_RUNNER", "CI runners end at a step's end what it left. Let a step wait for its turns."),
    )
  return found.length > 0 ? found : [fine("SURVIVAL", "Nothing seen here ends an agent with its host.")]
}

/** The unit that the process belongs to; null for a terminal's or a container's scope, and without systemd. */
export function unitOf(cgroup: string): Unit | null {
  const path = /^(?:0:|\d+:name=systemd):(.*)$/m.exec(cgroup)?.[1] ?? ""
  const name = path.split("/").findLast(part => /\.(?:service|scope)$/.test(part))
  return name?.endsWith(".service") === true ? { name, user: path.includes("/user@") } : null
}

export function surroundings(env: Environment): Surroundings {
  const cgroup = textOf("/proc/self/cgroup")
  const marked = ["/.dockerenv", "/run/.containerenv"].some(path => existsSync(path))
  return {
    cgroup,
    init: textOf("/proc/1/comm").trim(),
    container: marked || /docker|containerd|kubepods|libpod|lxc/.test(cgroup),
    ci: (env.CI ?? "") !== "" && env.CI !== "false",
    killMode: ({ name, user }) => {
      const words = [...(user ? ["--user"] : []), "show", "--property=KillMode", "--value", "--", name]
      return (spawnSync("systemctl", words, { encoding: "utf8", timeout: 5_000 }).stdout ?? "").trim()
    },
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return "" // not Linux, or not to be read: then it tells nothing
  }
}
