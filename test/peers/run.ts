/**
 * `npm run test:peers`: installs the real agents at the versions of the lock file, and runs their tests where
 * loopback is the only network. It fails rather than run them with another version or another network. Names behind
 * `--` choose test files by how they begin.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { binary, installed, wanted } from "./codex.ts"

const here = import.meta.dirname
const root = join(here, "..", "..")

/** Ends the program with a reason and what to do. */
function fail(reason: string): never {
  console.error(`test:peers: ${reason}`)
  process.exit(1)
}

function install(): void {
  if (installed() === wanted) return
  console.log(`test:peers: installing codex ${wanted} into test/peers`)
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: here,
    stdio: "inherit",
  })
  if (npm.status !== 0) fail("npm ci in test/peers failed; it needs the npm registry once.")
  if (installed() !== wanted)
    fail(`npm ci in test/peers did not bring codex ${wanted}: it brought ${installed()}.`)
}

/** The version that the program itself tells, not only its package. */
function checkVersion(): void {
  const { stdout, error } = spawnSync(binary, ["--version"], { encoding: "utf8" })
  if (error !== undefined) fail(`codex does not start: ${error.message}`)
  if (stdout.trim() !== `codex-cli ${wanted}`)
    fail(`codex says that it is "${stdout.trim()}", not ${wanted}.`)
}

/** A new network namespace has loopback alone, and that is down. Only Linux has them, and only root without `-r`. */
const isolate = [
  ...(process.getuid?.() === 0 ? ["-n"] : ["-rn"]),
  "sh",
  "-c",
  'ip link set lo up && exec "$@"',
  "sh",
]

function checkIsolation(): void {
  if (process.platform !== "linux") fail("the network can only be refused on Linux.")
  const { status, stderr, error } = spawnSync("unshare", [...isolate, "true"], { encoding: "utf8" })
  if (status === 0) return
  fail(
    `the network cannot be refused (${(error?.message ?? stderr).trim()}): it needs unshare, ip, and the right to make a network namespace; run as root, or allow unprivileged user namespaces.`,
  )
}

checkIsolation()
install()
checkVersion()
const given = process.argv.slice(2)
const options = given.filter(word => word.startsWith("-"))
const names = given.filter(word => !word.startsWith("-"))
const files = names.length === 0 ? ["test/peers"] : names.map(name => `test/peers/${name}`)
const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
const command = [process.execPath, vitest, "run", "--project", "peers", ...files, ...options]
const tests = spawnSync("unshare", [...isolate, ...command], { cwd: root, stdio: "inherit" })
if (tests.error !== undefined) fail(tests.error.message)
process.exit(tests.status ?? 1)
