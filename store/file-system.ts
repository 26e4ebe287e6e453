/**
 * Whether a folder is on a file system whose locks can be trusted. SQLite's WAL needs shared memory and POSIX
 * locks between all processes; network file systems give neither reliably. Only this judgement, nothing else.
 */
import { readFileSync, realpathSync, statfsSync } from "node:fs"

/** `f_type` of statfs(2) on Linux, from linux/magic.h and the file systems' own sources. */
const networkTypes: Readonly<Record<number, string>> = {
  0x6969: "nfs",
  0x517b: "smb",
  0xff534d42: "cifs",
  0xfe534d42: "smb2",
  0x01021997: "9p",
  0x5346414f: "afs",
  0x6b414653: "kafs",
  0x73757245: "coda",
  0x564c: "ncp",
  0x00c36400: "ceph",
  0x0bd00bd0: "lustre",
  0x01161970: "gfs2",
  0x7461636f: "ocfs2",
  0x47504653: "gpfs",
  0x19830326: "beegfs",
  0x786f4256: "vboxsf",
}
/** FUSE says only that it is FUSE; the mount table says which. */
const fuseType = 0x65735546
const networkFuse = /^fuse\.(sshfs|s3fs|rclone|gcsfuse|goofys|davfs2?|glusterfs|ceph|curlftpfs|juicefs|smbnetfs)/

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
  return networkFileSystem(statfsSync(path).type, () => mountType(path, readFileSync("/proc/self/mountinfo", "utf8")))
}

/** File system of the deepest mount that holds `path`, from the text of /proc/self/mountinfo. */
export function mountType(path: string, mountinfo: string): string | null {
  let best = { length: -1, type: null as string | null }
  for (const line of mountinfo.split("\n")) {
    const [before, after] = line.split(" - ")
    const point = before?.split(" ")[4]?.replaceAll("\\040", " ")
    if (point === undefined || after === undefined) continue
    const holds = path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`)
    if (holds && point.length >= best.length) best = { length: point.length, type: after.split(" ")[0] ?? null }
  }
  return best.type
}
