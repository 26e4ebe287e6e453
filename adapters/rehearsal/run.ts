/**
 * One start of the CLI, in its order of events: what needs no turn is answered first, then it asks everything that
 * it asks before a turn, then the turn is played. It returns the exit code; refusals are thrown.
 */
import { createHash } from "node:crypto"
import * as checks from "./checks.ts"
import { type Circumstances, chooseTurn, numberStart } from "./choose.ts"
import { keepModel } from "./config.ts"
import type { Flags, OutputFormat } from "./flags.ts"
import { playStart, playTurn } from "./play.ts"
import { noTerminal } from "./refusals.ts"
import type { Scenario } from "./scenario.ts"
import { ScenarioError } from "./scenario-check.ts"
import type { Stage, Wings } from "./stage.ts"
import { createStream } from "./stream.ts"
import { help, listModels, runCommand, version } from "./subcommands.ts"

export const run = async (wings: Wings, scenario: Scenario, named: string | undefined): Promise<number> => {
  const { flags, config, out, model } = wings
  if (flags.has("version")) return say(wings, `${version}\n`)
  if (flags.has("help")) return say(wings, help)

  const resumed = flags.has("resume") || flags.has("continue")
  const early = { resumed, model, startNumber: numberStart(scenario, named, config) }
  await playStart(chooseTurn(scenario.starts ?? [], early)?.steps ?? [], wings)

  if (flags.command !== null) return runCommand(flags.command, wings, scenario)
  if (flags.has("listModels")) return listModels(wings, scenario)
  if (!flags.has("print") && process.stdout.isTTY && process.stdin.isTTY) {
    out.complain(noTerminal)
    return 1
  }
  return takeTurn(wings, scenario, early)
}

const takeTurn = async (wings: Wings, scenario: Scenario, early: Circumstances): Promise<number> => {
  const { flags, env, config, out, journal, key, model } = wings
  const startedAt = Date.now()
  checks.checkAccount(scenario.account ?? {}, key)
  checks.checkFormat(flags)
  const positional = flags.words.length > 0
  const bytes = positional ? Buffer.from(flags.words.join(" ")) : await readStdin()
  journal.note({
    event: "prompt",
    from: positional ? "argv" : "stdin",
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  })
  const prompt = bytes.toString("utf8")
  checks.checkPrompt(prompt)
  checks.checkModel(scenario, model)
  if (flags.has("model")) keepModel(config, model)
  const cwd = checks.workspaceOf(flags)
  checks.checkTrust(flags, config, cwd)
  const { chat, resumed } = await checks.claim(wings, cwd)
  const number = chat.said.length + 1
  journal.note({ event: "claimed", session: chat.id, resumed, turn: number })

  const turn = chooseTurn(scenario.turns, { ...early, resumed, prompt, turn: number })
  if (turn === null)
    throw new ScenarioError(`no turn of the scenario fits this one (turn ${number} of its chat)`)
  const shape = flags.has("partial") ? "partial" : "segments"
  const stream = createStream(out, chat.id, formatOf(flags), shape, startedAt)
  const stage: Stage = {
    ...wings,
    cwd,
    prompt,
    chat,
    resumed,
    keySource: checks.keySource(flags, env),
    stream,
  }
  await playTurn(turn.steps, stage)
  // With a prompt in its arguments the CLI still waits for the end of its stdin.
  if (positional && !process.stdin.isTTY) await readStdin()
  return 0
}

const say = ({ out }: Wings, text: string): number => {
  out.print(text)
  return 0
}

/** Either flag alone is enough for the stream. */
const formatOf = (flags: Flags): OutputFormat => {
  if (flags.has("partial")) return "stream-json"
  const format = flags.text("outputFormat")
  return format === "json" || format === "stream-json" ? format : "text"
}

const readStdin = async (): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part)
  return Buffer.concat(parts)
}
