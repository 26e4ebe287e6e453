/**
 * Everything that the CLI asks before it starts a turn, in its order: account, output format, prompt, model,
 * workspace trust, chat. The first no ends it with exit 1 and an empty stdout.
 */
import { randomUUID } from "node:crypto"
import { mkdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { claimChat } from "./chat-lock.ts"
import { type Chat, chatExists, chatsFolder, isChatId, newestChat, openChat } from "./chats.ts"
import { isTrusted, trust } from "./config.ts"
import type { Flags } from "./flags.ts"
import { isKnownModel, modelIds } from "./models.ts"
import * as refusals from "./refusals.ts"
import type { Account, Scenario } from "./scenario.ts"
import type { Wings } from "./stage.ts"

/** The CLI's own words about why there will be no turn. */
export class Refusal extends Error {
  override readonly name = "Refusal"
}

export const apiKey = (flags: Flags, env: NodeJS.ProcessEnv): string | null =>
  flags.text("apiKey") ?? env.CURSOR_API_KEY ?? flags.text("authToken") ?? env.CURSOR_AUTH_TOKEN ?? null

export const keySource = (flags: Flags, env: NodeJS.ProcessEnv): "env" | "flag" | "login" => {
  if (flags.has("apiKey") || flags.has("authToken")) return "flag"
  return env.CURSOR_API_KEY || env.CURSOR_AUTH_TOKEN ? "env" : "login"
}

export type Standing = "in" | "out" | "invalid"

export const standing = (account: Account, key: string | null): Standing => {
  if (key === null) return account.keyRequired === true ? "out" : "in"
  // An empty variable is not "no key": the CLI calls it an invalid one.
  if (key === "") return "invalid"
  return account.validKeys === undefined || account.validKeys.includes(key) ? "in" : "invalid"
}

export const checkAccount = (account: Account, key: string | null): void => {
  const is = standing(account, key)
  if (is === "out") throw new Refusal(refusals.authenticationRequired)
  if (is === "invalid") throw new Refusal(refusals.invalidKey)
}

export const checkFormat = (flags: Flags): void => {
  const format = flags.text("outputFormat")
  if (format !== null && !["text", "json", "stream-json"].includes(format))
    throw new Refusal(refusals.badOutputFormat(format))
}

export const checkPrompt = (prompt: string): void => {
  if (prompt.trim() === "") throw new Refusal(refusals.noPrompt)
}

export const checkModel = (scenario: Scenario, model: string): void => {
  const known = scenario.models ?? modelIds
  if (!isKnownModel(model, known)) throw new Refusal(refusals.unknownModel(model, known))
  if (scenario.account?.plan === "free" && model !== "auto") throw new Refusal(refusals.namedModelOnFreePlan)
}

export const workspaceOf = (flags: Flags): string => {
  const path = flags.text("workspace") ?? process.cwd()
  try {
    return realpathSync(path)
  } catch {
    throw new Refusal(refusals.noSuchWorkspace(path))
  }
}

/** `--trust` is kept, `--force` holds for this run only. */
export const checkTrust = (flags: Flags, config: string, cwd: string): void => {
  if (flags.has("trust")) trust(config, cwd)
  else if (!flags.has("force") && !isTrusted(config, cwd)) throw new Refusal(refusals.workspaceTrust(cwd))
}

const BUSY_AFTER_MS = 350

export interface Claimed {
  readonly chat: Chat
  /** It was asked for by its id, known or not. */
  readonly resumed: boolean
}

/** The chat that this turn goes on with, owned by this process. */
export const claim = async ({ flags, config, pause }: Wings, cwd: string): Promise<Claimed> => {
  const chats = chatsFolder(config, cwd)
  const asked = askedFor(flags, chats)
  if (asked !== null && !isChatId(asked)) throw new Refusal(refusals.malformedChatId(asked))
  const chosen = flags.text("newSessionId")
  if (chosen !== null && !isChatId(chosen)) throw new Refusal(refusals.malformedChatId(chosen))
  if (chosen !== null && chatExists(chats, chosen)) throw new Refusal(refusals.chatIdTaken(chosen))
  const id = asked ?? chosen ?? randomUUID()
  const folder = join(chats, id)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!claimChat(folder)) {
    await pause(BUSY_AFTER_MS)
    throw new Refusal(refusals.chatIsBusy(id))
  }
  // Opened only now: whoever had it before may just have finished a turn.
  return { chat: openChat(folder, id, cwd), resumed: asked !== null }
}

const askedFor = (flags: Flags, chats: string): string | null => {
  const resume = flags.get("resume")
  // `--continue` is `--resume=-1`.
  if (flags.has("continue") || resume === "-1" || resume === true) return newestChat(chats)
  return resume
}
