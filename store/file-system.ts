/**
 * Whether a folder is on a file system whose locks can be trusted. SQLite's WAL needs shared memory and POSIX
 * locks between all processes; network file systems give neither reliably. Only this judgement, nothing else.
 */
import { readFileSync, realpathSync, statfsSync } from "node:fs"

/** `f_type` of statfs(2) on Linux, from linux/magic.h and the file systems' own sources. */
const networkTypes: Readonly<Record<number, string>> = {
  26985: "nfs",
  20859: "smb",
  4283649346: "cifs",
  4266872130: "smb2",
  16914839: "9p",
  1397113167: "afs",
  1799439955: "kafs",
  1937076805: "coda",
  22092: "ncp",
  12805120: "ceph",
  198183888: "lustre",
  18225520: "gfs2",
  1952539503: "ocfs2",
  1196443219: "gpfs",
  428016422: "beegfs",
  2020557398: "vboxsf",
}
/** FUSE says only that it is FUSE; the mount table says which. */
const fuseType = 0x65735546
const networkFuse =
  /^fuse\.(sshfs|s3fs|rclone|gcsfuse|goofys|davfs2?|glusterfs|ceph|curlftpfs|juicefs|smbnetfs)/

/** The name of the network file system that a `statfs` type stands for; null: a local one. */
export function networkFileSystem(type: number, fuseName: () => string | null): string | null {
  const unsigned = type >>> 0 // some platforms hand the 32 bits out signed
  if (unsigned !== fuseType) return networkTypes[unsigned] ?? null
  const name = fuseName()
  return name !== null && networkFuse.test(name) ? name : null
}

/** Linux only: elsewhere the type is a number that says nothing reliable, and null is returned. */
export function networkFileSystemOf(folder: string): string | null {
  if (process.platform !== "linux") return null
  const path = realpathSync(folder)
  return networkFileSystem(statfsSync(path).type, () =>
    mountType(path, readFileSync("/proc/self/mountinfo", "utf8")),
  )
}

/** File system of the deepest mount that holds `path`, from the text of /proc/self/mountinfo. */
export function mountType(path: string, mountinfo: string): string | null {
  let best = { length: -1, type: null as string | null }
  for (const line of mountinfo.split("\n")) {
    const [before, after] = line.split(" - ")
    const point = before?.split(" ")[4]?.replaceAll("\\040", " ")
    if (point === undefined || after === undefined) continue
    const holds = path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`)
    if (holds && point.length >= best.length)
      best = { length: point.length, type: after.split(" ")[0] ?? null }
  }
  return best.type
}
