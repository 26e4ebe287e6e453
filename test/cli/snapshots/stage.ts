/**
 * A story told by the real command, for one way of looking at it: a person with pipes, a person at a terminal, or a
 * program that reads JSON. What was typed and what came becomes one document, to be compared with the one on file.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { shellWord } from "../../../adapters/cli/shell-word.ts"
import type { Scenario } from "../../../adapters/rehearsal/index.ts"
import { makePlace, type Place } from "../harness.ts"
import { normalise } from "./normalise.ts"
import { columns } from "./screen.ts"
import { listenTo, onScreen, onStreams } from "./showing.ts"

const lookers = ["person", "terminal", "json"] as const
export type Looker = (typeof lookers)[number]

export type Play = Scenario | string

export interface Running {
  /** Resolves when it has shown this. */
  readonly shows: (text: string) => Promise<void>
  readonly ctrlC: () => void
  /** SIGKILL, to the command alone. */
  readonly kill: () => void
  /** Resolves when it has ended, and what it showed is in the document. */
  readonly ended: Promise<void>
}

export interface Stage {
  readonly place: Place
  /** A sentence in the document about what happens beside the command. */
  readonly remark: (text: string) => void
  readonly start: (words: readonly string[], play?: Play) => Running
  readonly run: (words: readonly string[], play?: Play) => Promise<void>
  /** What the readers say of session `s` afterwards; at a terminal without the log, which is the same in colours. */
  readonly lookBack: () => Promise<void>
  /** The gate of a scenario. */
  readonly open: (name: string) => void
  /** Resolves when the log has this many events of this type. */
  readonly logged: (type: string, count?: number) => Promise<void>
}

/** Told in each of these ways; each is a file of its own in `__snapshots__`. */
export function story(
  name: string,
  tell: (stage: Stage) => Promise<void>,
  ways: readonly Looker[] = lookers,
): void {
  it.each(ways)(`${name}, for %s`, async looker => {
    const { stage, document } = makeStage(looker)
    await tell(stage)
    expect(stage.place.alive()).toEqual([])
    await expect(await document()).toMatchFileSnapshot(`__snapshots__/${name}.${looker}.txt`)
  })
}

const wrapper = fileURLToPath(new URL("on-terminal.ts", import.meta.url))
const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "")

function makeStage(looker: Looker): { readonly stage: Stage; readonly document: () => Promise<string> } {
  const place = makePlace()
  const parts: string[] = []

  const start = (words: readonly string[], play?: Play): Running => {
    const typed = looker === "json" ? [...words, "--json"] : words
    const pidFile = join(place.root, `pid-${parts.length}`)
    const options = play === undefined ? {} : { scenario: play }
    const command =
      looker === "terminal"
        ? place.start(typed, {
            ...options,
            node: [wrapper],
            env: { SNAPSHOT_PID_FILE: pidFile, SNAPSHOT_COLUMNS: String(columns) },
          })
        : place.start(typed, options)
    const line = ["$ holdfast", ...typed.map(shellWord)].join(" ")
    // It stands where it was typed, whatever is typed until it ends.
    const at = parts.push(line) - 1
    return {
      shows: listenTo(command),
      ctrlC: () => void command.child.kill("SIGINT"),
      kill: () =>
        void (looker === "terminal"
          ? process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL")
          : command.child.kill("SIGKILL")),
      ended: command.ended.then(async ended => {
        parts[at] = [line, ...(looker === "terminal" ? await onScreen(ended) : onStreams(ended))].join("\n")
      }),
    }
  }
  const stage: Stage = {
    place,
    start,
    run: (words, play) => start(words, play).ended,
    lookBack: async () => {
      const log = looker === "terminal" ? [] : [["log"], ["verify"]]
      for (const words of [["sessions"], ["watch", "s", "--once"], ...log]) await start(words).ended
    },
    remark: text => void parts.push(`# ${text}`),
    open: name => writeFileSync(join(place.worktree, name), ""),
    logged: (type, count = 1) => untilLogged(place, type, count),
  }
  const document = async () => {
    const ids = await idsOf(place)
    const folders = [
      [place.root, "<place>"],
      [root, "<holdfast>"],
    ] as const
    return `${normalise(parts.join("\n\n"), { ids, folders })}\n`
  }
  return { stage, document }
}

async function untilLogged(place: Place, type: string, count: number): Promise<void> {
  for (;;) {
    const { lines } = await place.ask("log", "--json")
    if (lines.filter(line => line.event === type).length >= count) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** From the log, which names them in the order in which they came up. */
async function idsOf(place: Place): Promise<readonly (readonly [string, string])[]> {
  const { lines } = await place.ask("log", "--json")
  const streams = [...new Set(lines.map(line => String(line.stream)))]
  const named = (kind: string) =>
    streams
      .filter(stream => stream.startsWith(`${kind}:`))
      .map((stream, index): readonly [string, string] => [
        stream.slice(kind.length + 1),
        `<${kind} ${index + 1}>`,
      ])
  const isMadeUp = ([id]: readonly [string, string]) => /^[0-9a-z]{26}$/.test(id)
  return [...named("session"), ...named("turn")].filter(isMadeUp)
}
