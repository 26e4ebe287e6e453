/**
 * The conversations, kept where the Cursor CLI keeps them: `<config>/chats/<md5 of the physical cwd>/<id>/`, with
 * its `meta.json`. What was said is in a small JSON file of our own, so that a resumed chat really remembers.
 * A turn is written once, when it has succeeded; nothing here may keep a trace of one that did not.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

export interface Said {
  readonly prompt: string
  readonly reply: string
}

export interface Chat {
  readonly id: string
  /** Finished turns, oldest first; each text is cut to its first 4,000 characters. */
  readonly said: readonly Said[]
  remember(turn: Said): void
}

const KEPT_CHARACTERS = 4000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isChatId = (text: string): boolean => UUID.test(text)

/** An empty variable is as good as none. */
export const configFolder = (env: NodeJS.ProcessEnv): string => {
  if (env.CURSOR_CONFIG_DIR) return env.CURSOR_CONFIG_DIR
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, "cursor")
  return join(homedir(), ".cursor")
}

export const chatsFolder = (config: string, physicalCwd: string): string =>
  join(config, "chats", createHash("md5").update(physicalCwd).digest("hex"))

export const chatExists = (chats: string, id: string): boolean => existsSync(join(chats, id, "meta.json"))

/** What `--continue` means: the chat of this folder that was used last. */
export const newestChat = (chats: string): string | null => {
  if (!existsSync(chats)) return null
  const used = readdirSync(chats)
    .map(id => ({ id, at: numberIn(readJson(join(chats, id, "meta.json")), "updatedAtMs") }))
    .sort((a, b) => b.at - a.at)
  return used[0]?.id ?? null
}

/** A valid id that nobody knows becomes an empty chat, without a word: that is how the CLI loses a history. */
export const openChat = (folder: string, id: string, cwd: string): Chat => {
  const store = join(folder, "rehearsal.json")
  const metaFile = join(folder, "meta.json")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const said = saidIn(readJson(store))
  const createdAtMs = numberIn(readJson(metaFile), "createdAtMs") || Date.now()
  const writeMeta = (hasConversation: boolean): void =>
    writeJson(metaFile, { schemaVersion: 1, createdAtMs, updatedAtMs: Date.now(), hasConversation, cwd })
  writeMeta(said.length > 0)
  return {
    id,
    said,
    remember: turn => {
      writeJson(store, { said: [...said, { prompt: head(turn.prompt), reply: head(turn.reply) }] })
      writeMeta(true)
    },
  }
}

const head = (text: string): string => text.slice(0, KEPT_CHARACTERS)

/** Whole or not at all: a reader never sees half of it. */
const writeJson = (file: string, value: unknown): void => {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(value), { mode: 0o600 })
  renameSync(draft, file)
}

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return null
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const numberIn = (value: unknown, name: string): number => {
  const one = field(value, name)
  return typeof one === "number" ? one : 0
}

const saidIn = (value: unknown): readonly Said[] => {
  const list = field(value, "said")
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const [prompt, reply] = [field(one, "prompt"), field(one, "reply")]
    return typeof prompt === "string" && typeof reply === "string" ? [{ prompt, reply }] : []
  })
}
