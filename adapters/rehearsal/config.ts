/**
 * What the CLI remembers between turns besides its chats: trusted workspaces, the last model asked for, and how
 * often a scenario was started. Every write is a rename or an exclusive create, since agents start side by side.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const slug = (path: string): string => path.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "")

const trustFile = (config: string, cwd: string): string =>
  join(config, "projects", slug(cwd), ".workspace-trusted")

export const isTrusted = (config: string, cwd: string): boolean => existsSync(trustFile(config, cwd))

export const trust = (config: string, cwd: string): void => {
  mkdirSync(join(config, "projects", slug(cwd)), { recursive: true })
  writeFileSync(
    trustFile(config, cwd),
    JSON.stringify({ trustedAt: new Date().toISOString(), workspacePath: cwd }),
  )
}

const configFile = (config: string): string => join(config, "cli-config.json")

const readConfig = (config: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(readFileSync(configFile(config), "utf8"))
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Without `--model` the CLI takes whatever was asked for last, by anybody. */
export const lastModel = (config: string): string => {
  const { model } = readConfig(config)
  const id: unknown = typeof model === "object" && model !== null ? Reflect.get(model, "modelId") : undefined
  return typeof id === "string" ? id : "auto"
}

export const keepModel = (config: string, modelId: string): void => {
  const before = readConfig(config)
  const after = {
    version: 1,
    editor: { vimMode: false },
    permissions: { allow: [], deny: [] },
    ...before,
    model: { modelId },
  }
  mkdirSync(config, { recursive: true })
  const draft = `${configFile(config)}.${process.pid}.tmp`
  writeFileSync(draft, JSON.stringify(after, null, 2))
  renameSync(draft, configFile(config))
}

/** The number of this start, from 1. Two starts at once get two numbers: creating the file is exclusive. */
export const countStart = (config: string, scenario: string): number => {
  const folder = join(config, "rehearsal-starts", slug(scenario))
  mkdirSync(folder, { recursive: true })
  for (let number = 1; ; number++) {
    try {
      writeFileSync(join(folder, String(number)), "", { flag: "wx" })
      return number
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    }
  }
}
