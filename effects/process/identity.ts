/**
 * Which process is meant, although pids are reused: the one place that makes identities and judges them.
 * It sends no signal, and it never calls "dead" what it cannot see.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { Context, Layer } from "effect"
import type { ProcessIdentity } from "../../machines/words.ts"
import { look, processRow } from "./table.ts"

/** `elsewhere`: on another host or in another PID namespace, so not ours to judge. */
export type Judgement = "alive" | "dead" | "elsewhere"

export type Place = Pick<ProcessIdentity, "boot" | "namespace" | "host">

/** Identities in use, and who judges them. Synchronous: an answer is worth something only at its moment. */
export class Identities extends Context.Service<
  Identities,
  {
    readonly own: () => ProcessIdentity
    /** Null when there is no such process, or it is a zombie. */
    readonly of: (pid: number) => ProcessIdentity | null
    readonly judge: (identity: ProcessIdentity) => Judgement
  }
>()("holdfast/effects/process/Identities") {
  static readonly layer = Layer.sync(Identities, () =>
    Identities.of({ own: ownIdentity, of: identityOf, judge: judgeIdentity }),
  )
}

export function ownIdentity(): ProcessIdentity {
  const own = identityOf(process.pid)
  if (own === null) throw new Error("this process cannot be seen in the process table: is /proc mounted?")
  return own
}

export function identityOf(pid: number): ProcessIdentity | null {
  const row = processRow(pid)
  return row === null || row.zombie ? null : { pid, start: row.start, ...here() }
}

export function judgeIdentity(identity: ProcessIdentity): Judgement {
  const place = here()
  if (identity.host !== place.host) return "elsewhere"
  // Before the namespace: it belongs to a boot, and nothing lives through one.
  if (identity.boot !== place.boot) return "dead"
  if (identity.namespace !== place.namespace) return "elsewhere"
  const row = processRow(identity.pid)
  if (row !== null) return row.zombie || row.start !== identity.start ? "dead" : "alive"
  // A mount of /proc may hide other people's processes; the kernel does not lie about EPERM.
  return exists(identity.pid) === "hidden" ? "alive" : "dead"
}

export function sameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return (
    a.pid === b.pid &&
    a.start === b.start &&
    a.boot === b.boot &&
    a.namespace === b.namespace &&
    a.host === b.host
  )
}

/** The part of an identity that all processes of this host share. Read once: it must not change under us. */
export function here(): Place {
  known ??= { boot: bootId(), namespace: pidNamespace(), host: hostname().slice(0, 255) }
  return known
}
let known: Place | undefined

function bootId(): string {
  if (look === "proc") return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()
  // macOS has an id per boot; elsewhere the second of the boot serves.
  const session = sysctl("kern.bootsessionuuid")
  return session !== "" ? session : (/sec = (\d+)/.exec(sysctl("kern.boottime"))?.[1] ?? "")
}

function pidNamespace(): string {
  if (look === "ps") return ""
  try {
    return readlinkSync("/proc/self/ns/pid")
  } catch {
    return ""
  }
}

function sysctl(name: string): string {
  const env = { PATH: "/sbin:/usr/sbin:/bin:/usr/bin" }
  return (spawnSync("sysctl", ["-n", name], { env, encoding: "utf8" }).stdout ?? "").trim()
}

function exists(pid: number): "hidden" | "no" {
  try {
    process.kill(pid, 0)
    return "no"
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM" ? "hidden" : "no"
  }
}
