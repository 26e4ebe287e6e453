/**
 * What may come next on a command line, from the same declarations that parse it: verbs, flags, values. It knows no
 * shell, and asks for sessions only where one is meant.
 */
import type { Argument, Command, Option } from "commander"

export interface Candidate {
  readonly value: string
  readonly description: string
}
/** `files`: the shell knows better. */
export type Candidates = readonly Candidate[] | "files"

export interface Sources {
  readonly sessions: () => readonly Candidate[]
  readonly shells: readonly string[]
}

type Kind = "files" | keyof Sources
/** What a flag's or an argument's value is, where it is no closed list; under a verb's name, only there. */
const kinds: Readonly<Record<string, Kind>> = {
  "--home": "files",
  "--cwd": "files",
  "--bin": "files",
  "--out": "files",
  "--head": "files",
  "watch --session": "sessions", // with `run` it is a new one
  session: "sessions",
  shell: "shells",
}

/** `typed`: the words behind the command's name up to the cursor; the last one is being written, and may be "". */
export function candidates(program: Command, typed: readonly string[], sources: Sources): Candidates {
  // bash takes `--flag=value` apart into three words.
  const before = typed.slice(0, -1).filter(word => word !== "=")
  const current = typed.at(-1) === "=" ? "" : (typed.at(-1) ?? "")
  const verb = before.find(word => !word.startsWith("-"))
  if (verb === undefined)
    return matching(current, current.startsWith("-") ? flagsOf(program) : verbsOf(program))
  if (verb === "help") return matching(current, verbsOf(program))
  const command = program.commands.find(one => one.name() === verb)
  if (command === undefined) return []
  return ofCommand(command, before.slice(before.indexOf(verb) + 1), current, sources)
}

function ofCommand(
  command: Command,
  before: readonly string[],
  current: string,
  sources: Sources,
): Candidates {
  const { open, place, onlyArguments } = standing(command, before)
  if (open !== null) return matching(current, valuesOf(command, open, sources))
  if (!onlyArguments && current.startsWith("-")) {
    const [flag = "", value] = splitAt(current)
    const option = value === undefined ? undefined : optionOf(command, flag)
    if (value === undefined || option === undefined) return matching(current, flagsOf(command))
    const values = matching(value, valuesOf(command, option, sources))
    return values === "files" ? values : values.map(one => ({ ...one, value: `${flag}=${one.value}` }))
  }
  const argument = command.registeredArguments[place]
  return argument === undefined ? [] : matching(current, valuesOf(command, argument, sources))
}

/** After these words: the flag that waits for its value, how many arguments there were, whether `--` was said. */
function standing(command: Command, before: readonly string[]) {
  let open: Option | null = null
  let place = 0
  let onlyArguments = false
  for (const word of before) {
    if (open !== null) open = null
    else if (onlyArguments || !/^-./.test(word)) place += 1
    else if (word === "--") onlyArguments = true
    else {
      const [flag = "", value] = splitAt(word)
      const option = optionOf(command, flag)
      open = option?.required === true && value === undefined ? option : null
    }
  }
  return { open, place, onlyArguments }
}

function valuesOf(command: Command, asked: Option | Argument, sources: Sources): Candidates {
  if (asked.argChoices !== undefined) return asked.argChoices.map(plain)
  const name = "long" in asked ? (asked.long ?? "") : asked.name()
  const kind = kinds[`${command.name()} ${name}`] ?? kinds[name]
  if (kind === "files") return kind
  if (kind === undefined) return []
  return kind === "sessions" ? sources.sessions() : sources.shells.map(plain)
}

const plain = (value: string): Candidate => ({ value, description: "" })
const optionOf = (command: Command, flag: string) =>
  command.options.find(({ long, short }) => long === flag || short === flag)
const splitAt = (word: string) => /^([^=]*)(?:=(.*))?$/.exec(word)?.slice(1) ?? []

const verbsOf = (program: Command): Candidates =>
  program
    .createHelp()
    .visibleCommands(program)
    .map(command => ({ value: command.name(), description: command.summary() || command.description() }))
const flagsOf = (command: Command): Candidates =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (typeof long === "string" ? { value: long, description } : []))

function matching(current: string, all: Candidates): Candidates {
  return all === "files" ? all : all.filter(({ value }) => value.startsWith(current))
}
