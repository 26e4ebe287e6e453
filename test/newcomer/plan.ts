/** Pairs everything in a page with what is known of it. Nothing is left over, on either side: it throws. Pure. */
import { commands, commandsWithKey, type Known, placeholders, programs } from "./known.ts"
import { type Block, blocksOf, commandsOf } from "./page.ts"

export interface Step {
  readonly kind: "command" | "program" | "drawing"
  readonly line: number
  readonly text: string
  readonly known: Known | null
}

export function planOf(page: string): readonly Step[] {
  const steps = blocksOf(page).flatMap(stepsOf)
  const unused = [...commands, ...commandsWithKey, ...programs].filter(
    known => !steps.some(step => step.known === known),
  )
  if (unused.length > 0) throw new Error(`not in the page: ${unused.map(({ is }) => is.source).join(", ")}`)
  return steps
}

function stepsOf(block: Block): readonly Step[] {
  const { line, language, note } = block
  const text = block.lines.join("\n")
  if (language === "" && note === "") return [{ kind: "drawing", line, text, known: null }]
  if (language === "ts" && note === "")
    return [{ kind: "program", line, text, known: knownOf(programs, text, line) }]
  const table = { "": commands, "needs-key": commandsWithKey }[note]
  if (language !== "sh" || table === undefined)
    throw new Error(`line ${line}: a block of another kind: ${language} ${note}`)
  return commandsOf(block).map(command => {
    const unknown = placeholdersIn(command.text).find(name => !Object.hasOwn(placeholders, name))
    if (unknown !== undefined) throw new Error(`line ${command.line}: what is ${unknown}?`)
    return { ...command, kind: "command", known: knownOf(table, command.text, command.line) }
  })
}

function knownOf(table: readonly Known[], text: string, line: number): Known {
  const known = table.find(({ is }) => is.test(text))
  if (known === undefined) throw new Error(`line ${line}: nothing is known of: ${text}`)
  return known
}

export const placeholdersIn = (text: string): readonly string[] => text.match(/<[a-z-]+>/g) ?? []
