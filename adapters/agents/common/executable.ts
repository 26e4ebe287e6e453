/**
 * Whether a file can be executed here, judged from its mode and its first bytes, so that a wrong one is named
 * before a spawn turns it into "not found". Nothing is run.
 */
import { constants } from "node:fs"
import { access, open, stat } from "node:fs/promises"
import type { Obstacle } from "../../../effects/agent.ts"
import { obstacles } from "./obstacles.ts"

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: string
}

export async function executableObstacle(
  path: string,
  machine: Machine,
  install: string,
): Promise<Obstacle | null> {
  if (isForeignShim(path, machine.platform)) return obstacles.isShim(path)
  try {
    if (!(await stat(path)).isFile()) return obstacles.notExecutable(path)
    await access(path, constants.X_OK)
  } catch (error) {
    return isMissing(error) ? obstacles.notFound(path, install) : obstacles.notExecutable(path)
  }
  if (machine.platform === "win32") return null
  // A file that may be executed and not read cannot be judged; the spawn will.
  const head = await firstBytes(path).catch(() => null)
  return head === null ? null : formatObstacle(path, head, machine)
}

/** `.cmd` goes through cmd on Windows (`windows.ts`); everything else with such a name is nobody's program. */
function isForeignShim(path: string, platform: NodeJS.Platform): boolean {
  return (platform === "win32" ? /\.(?:ps1|sh)$/i : /\.(?:cmd|bat|ps1)$/i).test(path)
}

async function formatObstacle(path: string, head: Buffer, machine: Machine): Promise<Obstacle | null> {
  const script = /^#!\s*(\S+)/.exec(head.toString("latin1"))?.[1]
  if (script === undefined) return isNative(head, machine) ? null : obstacles.wrongFormat(path)
  const found = await access(script, constants.X_OK).then(
    () => true,
    () => false,
  )
  return found ? null : obstacles.noInterpreter(path, script)
}

const elfMagic = 0x7f454c46
const machMagics = new Set([0xcffaedfe, 0xcefaedfe, 0xcafebabe, 0xcafebabf])
/** `e_machine` of an ELF header, for the processors that Node runs on. */
const elfMachines: Readonly<Record<string, number>> = { x64: 62, arm64: 183, arm: 40, ia32: 3, riscv64: 243 }

export function isNative(head: Buffer, { platform, arch }: Machine): boolean {
  if (head.length < 20) return false
  const magic = head.readUInt32BE(0)
  if (platform === "darwin") return machMagics.has(magic)
  if (magic !== elfMagic) return false
  const isLittleEndian = head[5] === 1
  const needed = elfMachines[arch]
  return needed === undefined || (isLittleEndian ? head.readUInt16LE(18) : head.readUInt16BE(18)) === needed
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP"
}
