/**
 * The command line of the Cursor CLI read by the table beside it, and the parser's own complaints. It
 * decides nothing about the values: whether a model or a chat id is any good is asked later, in the CLI's order.
 */
import { type Command, commands, type OptionName, optionOf } from "./flag-table.ts"

export type { Command } from "./flag-table.ts"

export type OutputFormat = "text" | "json" | "stream-json"

export interface Flags {
  readonly command: Command | null
  /** The words that are no flags, without the command. */
  readonly words: readonly string[]
  has(name: OptionName): boolean
  /** The last value given; `true` for an optional one given bare. */
  get(name: OptionName): string | true | null
  text(name: OptionName): string | null
}

/** `error` is the line that the parser prints before it exits with 1. */
export type Parsed = { readonly flags: Flags } | { readonly error: string }

export const parseFlags = (argv: readonly string[]): Parsed => {
  const given = new Map<OptionName, string | true>()
  const words: string[] = []
  const queue = [...argv]
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === "--") {
      words.push(...queue)
      break
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word)
      continue
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    const written = equals < 0 ? word : word.slice(0, equals)
    const found = optionOf.get(written)
    if (found === undefined) {
      // `-pf` is `-p -f`.
      const cluster = /^-[a-zA-Z]{2,}$/.test(word) ? Array.from(word.slice(1), letter => `-${letter}`) : []
      if (cluster.length === 0 || !cluster.every(one => optionOf.has(one)))
        return { error: `error: unknown option '${written}'` }
      queue.unshift(...cluster)
      continue
    }
    const [name, option] = found
    const inline = equals < 0 ? undefined : word.slice(equals + 1)
    if (option.takes === "nothing") given.set(name, true)
    else if (inline !== undefined) given.set(name, inline)
    else if (option.takes === "optional") {
      // The trap of a bare `--resume`: it swallows the next word.
      const next = queue[0]
      given.set(name, next !== undefined && !next.startsWith("-") ? (queue.shift() ?? true) : true)
    } else {
      const next = queue.shift()
      if (next === undefined)
        return { error: `error: option '${option.names.join(", ")} ${option.placeholder}' argument missing` }
      given.set(name, next)
    }
  }
  const command = commands.find(one => one === words[0]) ?? null
  const get = (name: OptionName): string | true | null => given.get(name) ?? null
  return {
    flags: {
      command,
      words: command === null ? words : words.slice(1),
      has: name => given.has(name),
      get,
      text: name => {
        const one = get(name)
        return typeof one === "string" ? one : null
      },
    },
  }
}

/** The arguments as the journal may know them. */
export const withoutSecrets = (argv: readonly string[]): readonly string[] =>
  argv.map((word, index) => {
    const [written = "", ...rest] = word.split("=")
    if (rest.length > 0 && optionOf.get(written)?.[1].secret === true) return `${written}=***`
    return optionOf.get(argv[index - 1] ?? "")?.[1].secret === true ? "***" : word
  })
