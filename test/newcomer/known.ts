/**
 * What is known of the commands and programs of README.md: how each ends, and what it must have printed. A command
 * that no row knows is an error, and so is a row that no command needs.
 */

export interface Known {
  readonly is: RegExp
  /** In stdout and stderr together, without colours. */
  readonly prints: RegExp
  /** Default: 0. */
  readonly exit?: number
  /** It takes long, so its output is passed through; a quick walk leaves the last of them out. */
  readonly takes?: "a while" | "minutes"
  /** A file of the reader's own that it needs, in the folder where it is run. */
  readonly file?: string
}

/** Run as they stand, in this order, in one shell. */
export const commands: readonly Known[] = [
  { is: /^npm ci && npm run demo$/, prints: /holdfast verify --home \S+/, takes: "a while" },
  { is: /^npm ci && npm test$/, prints: /Tests +\d+ passed/, takes: "minutes" },
  { is: /^holdfast\(\) \{ .* \}$/, prints: /^$/ },
  { is: /^holdfast run --agent rehearsal /, prints: /Succeeded after/ },
  { is: /^holdfast sessions$/, prints: /rehearsal +ready/ },
  { is: /^holdfast send /, prints: /goes on with its conversation[\s\S]*Succeeded after/ },
  { is: /^holdfast watch \S+ --once$/, prints: /This is turn 1 [\s\S]*This is turn 2 / },
  { is: /^holdfast watch \S+ --once --after /, prints: /^(?![\s\S]*This is turn 1 )[\s\S]*This is turn 2 / },
  { is: /^holdfast log /, prints: /settling → succeeded/ },
  { is: /^holdfast diagram run --session /, prints: /▶ closed/ },
  { is: /^holdfast replay \S+ --at 12$/, prints: /replayed to position 12; every recorded state agrees/ },
  { is: /^holdfast verify$/, prints: /the chain is whole and the replay agrees/ },
  { is: /^holdfast export --out log\.ndjson$/, prints: /\d+ events in log\.ndjson/ },
  { is: /^holdfast verify --head log\.ndjson$/, prints: /It holds the given head/ },
  { is: /^holdfast rebuild$/, prints: /nothing had been wrong/ },
  { is: /^holdfast doctor --agent rehearsal$/, prints: /rehearsal \S+ is ready/ },
  { is: /^holdfast completion bash$/, prints: /complete -F \S+ holdfast/ },
  { is: /^holdfast erase \S+ --yes$/, prints: /Erased: \d+ texts/ },
]

/**
 * Of blocks marked `needs-key`. There is none here, so each gets as far as its agent's key: words and flags that the
 * command does not take would end it before that, with another exit code.
 */
export const commandsWithKey: readonly Known[] = [
  { is: /^holdfast run "/, prints: /^KEY_MISSING: /, exit: 5 },
  { is: /^holdfast run --agent codex /, prints: /^KEY_MISSING: /, exit: 5, file: "prompt.md" },
  { is: /^holdfast interrupt /, prints: /Nothing runs in this session/ },
]

/** The programs of the page, each by something that only it says. They are compiled, and run as they stand. */
export const programs: readonly Known[] = [
  { is: /\[cursor\(\)\]/, prints: /This is turn 1 [\s\S]*succeeded \{\s+inputTokens: \d/ },
  { is: /Holdfast\.layer\(/, prints: /turn\.settled[\s\S]*\nsucceeded$/ },
]

export interface Placeholder {
  /** Prints JSON lines in which the value is; may name placeholders of earlier rows. */
  readonly from: string
  readonly pick: (lines: readonly Readonly<Record<string, unknown>>[]) => unknown
}

export const placeholders: Readonly<Record<string, Placeholder>> = {
  // The newest: the programs of the page have made their own.
  "<session>": { from: "holdfast sessions --json", pick: lines => lines.at(-1)?.session },
  // Behind the first turn, so that only the second is left to see.
  "<cursor>": {
    from: "holdfast watch <session> --once --json",
    pick: lines => lines.find(line => line.type === "turn.settled")?.at,
  },
}
