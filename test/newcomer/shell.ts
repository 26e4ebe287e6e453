/**
 * One shell that goes through a page as a person does: what a command defines or changes is there for the next. It
 * is given a command at a time, and tells how it ended.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { stripVTControlCharacters } from "node:util"

export interface Said {
  readonly exit: number
  readonly stdout: string
  /** Stdout, then stderr, without colours and without white space around. */
  readonly all: string
}

const longestCommandMs = 30 * 60_000

export class Shell {
  readonly #child: ChildProcess
  readonly #out: Ear
  readonly #err: Ear
  readonly #mark = randomUUID()

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    // A group of its own, so that whatever a command left running can be ended with it.
    const child = spawn("sh", [], { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true })
    this.#child = child
    this.#out = new Ear(child.stdout, this.#mark)
    this.#err = new Ear(child.stderr, this.#mark)
    process.once("exit", () => this.#end())
  }

  /** Whatever its exit code is. Rejects when the shell itself ends, or after half an hour. */
  async run(command: string, isShown = false): Promise<Said> {
    const both = Promise.all([this.#out.upToMark(isShown), this.#err.upToMark(isShown)])
    const timer = setTimeout(() => this.#end(), longestCommandMs)
    this.#child.stdin?.write(
      [
        `eval '${command.replaceAll("'", `'\\''`)}' </dev/null`,
        `status=$?; printf '\\n%s %s\\n' ${this.#mark} $status; printf '\\n%s 0\\n' ${this.#mark} >&2\n`,
      ].join("\n"),
    )
    const [out, err] = await both.finally(() => clearTimeout(timer))
    const all = stripVTControlCharacters(`${out.text}\n${err.text}`).trim()
    return { exit: out.status, stdout: out.text, all }
  }

  #end(): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL")
  }
}

/** Hears one stream, line by line, up to the mark behind each command. */
class Ear {
  readonly #lines: NodeJS.AsyncIterator<string, undefined>
  readonly #mark: string

  constructor(stream: NodeJS.ReadableStream, mark: string) {
    this.#lines = createInterface({ input: stream })[Symbol.asyncIterator]()
    this.#mark = `${mark} `
  }

  async upToMark(isShown: boolean): Promise<{ readonly text: string; readonly status: number }> {
    const heard: string[] = []
    for (;;) {
      const { value, done } = await this.#lines.next()
      if (done === true) throw new Error(`the shell has ended; it had said:\n${heard.join("\n")}`)
      if (value.startsWith(this.#mark))
        return { text: heard.join("\n"), status: Number(value.slice(this.#mark.length)) }
      heard.push(value)
      if (isShown) console.log(value)
    }
  }
}
