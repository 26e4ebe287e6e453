/**
 * What tools do for real: files of the workspace and child processes, each answered in the CLI's own result shape.
 * A refusal or a failure is a result like any other; nothing here throws at the turn.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, isAbsolute, relative, resolve } from "node:path"
import type { Json, JsonObject, ToolStep } from "./scenario.ts"
import { fill, type Stage } from "./stage.ts"
import { editResult, readResult, writeResult } from "./tool-results.ts"

export interface ToolResult {
  readonly key: string
  readonly value: JsonObject
}

const SHELL_TIMEOUT_MS = 30_000

export const act = async (
  step: ToolStep,
  args: JsonObject,
  call: string,
  stage: Stage,
): Promise<ToolResult> => {
  const path = text(args, "path")
  const target = resolve(stage.cwd, path)
  const where = step.kind === "shell" ? {} : { path: target }
  const note = (phase: "begun" | "done" | "failed" | "refused"): void =>
    stage.journal.note({ event: "tool", kind: step.kind, call, phase, ...where })

  const forbidden = refusal(step.kind, text(args, "command"), stage)
  if (forbidden !== null) {
    note("refused")
    return forbidden
  }
  if (step.kind !== "shell" && isOutside(stage.cwd, target)) {
    note("refused")
    return { key: "error", value: { errorMessage: `Path is outside the workspace: ${path}` } }
  }
  note("begun")
  try {
    const result = await perform(step, args, target, stage)
    note(result.key === "success" || result.key === "failure" ? "done" : "failed")
    return result
  } catch (error) {
    note("failed")
    return { key: "error", value: { errorMessage: error instanceof Error ? error.message : String(error) } }
  }
}

const perform = async (
  step: ToolStep,
  args: JsonObject,
  target: string,
  stage: Stage,
): Promise<ToolResult> => {
  switch (step.kind) {
    case "read":
      return success(readResult(target, readFileSync(target, "utf8")))
    case "write": {
      const content = text(args, "fileText")
      put(target, content)
      return success(writeResult(target, content))
    }
    case "edit": {
      const before = readIfThere(target)
      const after = edited(before ?? "", step, args, stage)
      put(target, after)
      return success(editResult(target, before ?? "", after))
    }
    case "delete": {
      const prevContent = readFileSync(target, "utf8")
      rmSync(target)
      return success({ path: target, prevContent })
    }
    case "shell":
      return shell(args, stage)
    default:
      return { key: "error", value: { errorMessage: `Nothing real is known for ${step.kind}` } }
  }
}

/** Without `--force` no shell; in plan and ask mode nothing that changes anything, `--force` or not. */
const refusal = (kind: string, command: string, stage: Stage): ToolResult | null => {
  if (kind === "read") return null
  const readOnly = stage.flags.has("plan") || stage.flags.text("mode") !== null
  if (kind === "shell" && (readOnly || !stage.flags.has("force"))) {
    const value = { command, workingDirectory: stage.cwd, reason: "", isReadonly: readOnly }
    return { key: "rejected", value }
  }
  return readOnly ? { key: "rejected", value: { reason: "File changes are not allowed in this mode" } } : null
}

const shell = async (args: JsonObject, stage: Stage): Promise<ToolResult> => {
  const command = text(args, "command")
  const workingDirectory = resolve(stage.cwd, text(args, "workingDirectory"))
  const timeoutMs = typeof args.timeout === "number" ? args.timeout : SHELL_TIMEOUT_MS
  const done = await stage.children.shell(command, workingDirectory, timeoutMs)
  const value: JsonObject = {
    command,
    workingDirectory,
    exitCode: done.exitCode,
    signal: done.signal ?? "",
    stdout: done.stdout,
    stderr: done.stderr,
    executionTime: done.elapsedMs,
    interleavedOutput: done.stdout + done.stderr,
  }
  return { key: done.timedOut ? "timeout" : done.exitCode === 0 ? "success" : "failure", value }
}

const edited = (before: string, step: ToolStep, args: JsonObject, stage: Stage): string => {
  if (step.append !== undefined) return before + fill(step.append, stage)
  const replacement = args.strReplace
  if (typeof replacement === "object" && replacement !== null && !isList(replacement)) {
    const old = text(replacement, "oldText")
    if (old === "" || !before.includes(old))
      throw new Error("The string to replace was not found in the file.")
    return before.replace(old, () => text(replacement, "newText"))
  }
  return text(args, "streamContent")
}

const success = (value: JsonObject): ToolResult => ({ key: "success", value })
const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

const text = (args: JsonObject, name: string): string => {
  const value = args[name]
  return typeof value === "string" ? value : ""
}

const isOutside = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === "" || way.startsWith("..") || isAbsolute(way)
}

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}

const put = (path: string, content: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
