/** What a started command has shown: as it comes, for who waits for it, and as a part of the document at the end. */
import { expect } from "vitest"
import { type Ended, type Started, until } from "../harness.ts"
import { screenOf } from "./screen.ts"

/** Resolves when it has shown this; what it showed before somebody asks counts too. */
export function listenTo({ child, ended }: Started): (text: string) => Promise<void> {
  let said = ""
  let over = false
  const add = (more: Buffer) => {
    said += more.toString()
  }
  child.stdout?.on("data", add)
  child.stderr?.on("data", add)
  void ended.then(() => {
    over = true
  })
  return async text => {
    await until(() => said.includes(text) || over)
    if (!said.includes(text)) throw new Error(`it ended without "${text}": ${said}`)
  }
}

export function onStreams({ stdout, stderr, code, signal }: Ended): readonly string[] {
  const stream = (name: string, text: string) => (text === "" ? [] : [`-- ${name}`, whole(text)])
  return [...stream("stdout", stdout), ...stream("stderr", stderr), `-- ${signal ?? `exit ${code}`}`]
}

export async function onScreen({ stdout, stderr, code }: Ended): Promise<readonly string[]> {
  expect(stderr).toBe("")
  const end = code === 128 + 9 ? "SIGKILL" : `exit ${code}`
  return ["-- screen", await screenOf(stdout), `-- ${end}`]
}

const whole = (text: string) => (text.endsWith("\n") ? text.slice(0, -1) : `${text}\n(no newline at the end)`)
