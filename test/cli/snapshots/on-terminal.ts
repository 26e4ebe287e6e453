/**
 * Runs the rest of its command line on a pseudo terminal (`script`, of util-linux) and passes on what comes out.
 * SIGINT to it is Ctrl-C typed there. `SNAPSHOT_PID_FILE` gets the pid of what really runs.
 */
import { spawn } from "node:child_process"
import { shellWord } from "../../../adapters/cli/shell-word.ts"

const { SNAPSHOT_PID_FILE: pidFile = "", SNAPSHOT_COLUMNS: columns = "", ...inherited } = process.env
const words = [process.execPath, ...process.argv.slice(2)].map(shellWord).join(" ")
const prepare = `stty cols ${columns} rows 40 echo; echo $$ > ${shellWord(pidFile)}`
const child = spawn("script", ["-qefc", `${prepare}; exec ${words}`, "/dev/null"], {
  stdio: ["pipe", "inherit", "inherit"],
  env: { ...inherited, SHELL: "/bin/sh", TERM: "xterm-256color" },
})
child.stdin.on("error", () => undefined) // it ended while a key was on its way
process.on("SIGINT", () => child.stdin.write("\u0003"))
child.once("close", code => process.exit(code ?? 1))
