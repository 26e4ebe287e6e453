/**
 * Reading on in a file that others append to. Anybody may empty a spool (`> /dev/stdout`) and write on, past the
 * place where reading stands, so the size alone shows nothing: the last bytes read are read again, in the same
 * call as the new ones, and compared. Memory is one chunk; lines are not its business.
 */
import { fstatSync, readSync } from "node:fs"

/** A line of any agent differs from another one within these, by a time or an id. */
const jointBytes = 128

export interface Piece {
  /** Valid until the next read. */
  readonly bytes: Buffer
  /** Where they are in the file. */
  readonly at: number
  /** The file is not the one that was read so far: `at` is 0. */
  readonly replaced: boolean
  readonly size: number
}

export class Growing {
  readonly #buffer: Buffer
  readonly #chunkBytes: number
  #last: Buffer = Buffer.alloc(0)

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes
    this.#buffer = Buffer.allocUnsafeSlow(chunkBytes + jointBytes)
  }

  /** At most one chunk from `position`, where the last read ended. */
  read(fd: number, position: number): Piece {
    const { size } = fstatSync(fd)
    const joint = this.#last.length
    const found = size < position ? null : this.#fill(fd, position - joint, joint)
    if (found?.subarray(0, joint).equals(this.#last)) {
      this.#remember(found)
      return { bytes: found.subarray(joint), at: position, replaced: false, size }
    }
    const bytes = this.#fill(fd, 0, 0)
    this.#remember(bytes)
    return { bytes, at: 0, replaced: true, size }
  }

  #fill(fd: number, from: number, joint: number): Buffer {
    return this.#buffer.subarray(0, readSync(fd, this.#buffer, 0, joint + this.#chunkBytes, from))
  }

  #remember(bytes: Buffer): void {
    this.#last = Buffer.from(bytes.subarray(-jointBytes))
  }
}
