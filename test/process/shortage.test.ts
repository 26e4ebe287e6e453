/** With no descriptor left, a process that cannot be looked at is never called dead (I9, I11). */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { expect, it } from "vitest"

const identity = join(import.meta.dirname, "../../effects/process/identity.ts")
const program = `
import { openSync } from "node:fs"
import { judgeIdentity, ownIdentity } from ${JSON.stringify(identity)}
const own = ownIdentity()
const held = []
try { for (;;) held.push(openSync("/dev/null")) } catch {}
let said
try { said = judgeIdentity(own) } catch (error) { said = error.code }
process.stdout.write(said)
`

it.skipIf(process.platform !== "linux")("I9 a want of descriptors is an error, and no death", () => {
  const shell = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"'
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", shell, process.execPath, program], {
    encoding: "utf8",
  })
  expect(stderr).toBe("")
  expect(stdout).toBe("EMFILE")
})
