/**
 * What a terminal shows after some bytes: whole lines, however it had to wrap them, with the style of each part in
 * brackets, as `[green]✓[/]`. It reads cells, so an escape sequence that does something else than style is seen.
 */
import xterm from "@xterm/headless"

export const columns = 100
const colours: Readonly<Record<number, string>> = { 1: "red", 2: "green", 3: "yellow", 6: "cyan" }

export async function screenOf(bytes: string): Promise<string> {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows: 40,
    scrollback: 10_000,
    allowProposedApi: true,
  })
  await new Promise<void>(done => terminal.write(bytes, done))
  const { active } = terminal.buffer
  const used = active.baseY + active.cursorY + (active.cursorX > 0 ? 1 : 0)
  const lines: string[] = []
  let cells: Cell[] = []
  for (let row = 0; row < used; row += 1) {
    const line = active.getLine(row)
    if (line?.isWrapped !== true && row > 0) {
      lines.push(styled(cells))
      cells = []
    }
    cells.push(...cellsOf(line))
  }
  lines.push(styled(cells))
  terminal.dispose()
  return lines.join("\n")
}

interface Cell {
  readonly text: string
  readonly style: string
}

function cellsOf(line: ReturnType<typeof xterm.Terminal.prototype.buffer.active.getLine>): readonly Cell[] {
  const cells: Cell[] = []
  for (let column = 0; column < columns; column += 1) {
    const cell = line?.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const colour = cell.isFgDefault() ? "" : (colours[cell.getFgColor()] ?? `colour${cell.getFgColor()}`)
    const names = [cell.isBold() ? "bold" : "", cell.isDim() ? "dim" : "", colour]
    cells.push({ text: cell.getChars() || " ", style: names.filter(name => name !== "").join(" ") })
  }
  return cells
}

function styled(cells: readonly Cell[]): string {
  const parts: Cell[] = []
  for (const { text, style } of cells) {
    const last = parts.at(-1)
    if (last?.style === style) parts[parts.length - 1] = { style, text: last.text + text }
    else parts.push({ text, style })
  }
  const marked = parts.map(({ text, style }) => (style === "" ? text : `[${style}]${text}[/]`))
  return marked.join("").trimEnd()
}
