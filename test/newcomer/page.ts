/** Reads a page in Markdown: its fenced blocks, the commands in them, and what it names of the repository. Pure. */

export interface Block {
  /** Number of the block's first line, its fence. */
  readonly line: number
  /** The first word behind the fence; empty for a drawing. */
  readonly language: string
  /** What else is said behind the fence. */
  readonly note: string
  readonly lines: readonly string[]
}

export interface Command {
  readonly line: number
  /** As it stands, without its comment. */
  readonly text: string
}

const fence = /^\s*```\s*(\S*)\s*(.*?)\s*$/

export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = []
  let open: (Omit<Block, "lines"> & { lines: string[] }) | null = null
  for (const [index, text] of page.split("\n").entries()) {
    const [isFence, language = "", note = ""] = fence.exec(text) ?? []
    if (isFence === undefined) open?.lines.push(text)
    else if (open === null) open = { line: index + 1, language, note, lines: [] }
    else {
      blocks.push(open)
      open = null
    }
  }
  if (open !== null) throw new Error(`the block of line ${open.line} has no end`)
  return blocks
}

/** One a line: what goes on in the next line is refused. */
export function commandsOf(block: Block): readonly Command[] {
  return block.lines.flatMap((whole, index) => {
    const line = block.line + 1 + index
    const text = withoutComment(whole)
    if (text.endsWith("\\")) throw new Error(`line ${line}: a command that goes on in the next line`)
    return text === "" ? [] : [{ line, text }]
  })
}

/** A comment begins with a `#` of its own, outside of quotes. */
const withoutComment = (text: string) =>
  text.replace(/('[^']*'|"(?:[^"\\]|\\.)*"|\\.)|(?<=^|\s)#.*$/g, (_, quoted?: string) => quoted ?? "").trim()

/** Paths of the repository that the page links to or shows. */
export const linksOf = (page: string): readonly string[] =>
  [...page.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, path = ""]) =>
    /^(?:[a-z]+:|#)/.test(path) ? [] : [path],
  )

/** Names of the scripts that it tells people to run. */
export const scriptsOf = (page: string): readonly string[] => [
  ...new Set([...page.matchAll(/\bnpm run (?:--silent )?([a-z:]+)/g)].map(([, name = ""]) => name)),
]
