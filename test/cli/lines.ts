/** Reading what the command printed with `--json`. It forgives nothing: what is no JSON is an error of the test. */
export type Line = Readonly<Record<string, unknown>>

export const ofType = (lines: readonly Line[], type: string): readonly Line[] =>
  lines.filter(line => line.type === type)

export const textOf = (lines: readonly Line[]): string =>
  ofType(lines, "text.delta")
    .map(line => String(line.text))
    .join("")

export const linesOf = (text: string): readonly Line[] => {
  if (text !== "" && !text.endsWith("\n")) throw new Error(`a torn last line: ${text.slice(-200)}`)
  return text
    .split("\n")
    .slice(0, -1)
    .map(line => JSON.parse(line) as Line)
}

/** Of a process that may have been killed: the last line counts only with its newline. */
export const wholeLines = (text: string): readonly Line[] =>
  linesOf(text.slice(0, text.lastIndexOf("\n") + 1))
