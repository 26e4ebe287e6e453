/**
 * Draws `diagrams/terminal.svg`, the README's picture of a terminal: runs the demo on a pseudo terminal (`script`, of
 * util-linux), lets a terminal emulator read what came out, and writes its cells as SVG. Nothing in it is made up.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import xterm from "@xterm/headless"

const root = join(import.meta.dirname, "..")
const columns = 100
/** The timeline that follows is wider than a picture should be; `holdfast diagram` draws it better. */
const lastShown = "The log's chain is whole"

const screen = await read(record("node adapters/cli/bin.ts demo"))
const end = screen.findIndex(line =>
  line
    .map(cell => cell.text)
    .join("")
    .includes(lastShown),
)
if (end === -1) throw new Error("The demo did not come to its end; run it by hand to see why.")
writeFileSync(join(root, "diagrams", "terminal.svg"), draw(screen.slice(0, end + 1)))

interface Run {
  readonly text: string
  readonly column: number
  readonly style: string
}

function record(command: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-terminal-"))
  const file = join(folder, "typescript")
  try {
    const sized = `stty cols ${columns} rows 60; ${command}`
    execFileSync("script", ["-qefc", sized, file], { cwd: root, stdio: "ignore" })
    const lines = readFileSync(file, "utf8").split("\n")
    // The first and the last line are `script`'s own.
    return Buffer.from(lines.slice(1, -3).join("\n"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function read(bytes: Buffer): Promise<readonly (readonly Run[])[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 60, scrollback: 1000, allowProposedApi: true })
  await new Promise<void>(done => terminal.write(bytes, done))
  const { active } = terminal.buffer
  return Array.from({ length: active.length }, (_, row) => runsOf(active.getLine(row)))
}

function runsOf(line: ReturnType<typeof xterm.Terminal.prototype.buffer.active.getLine>): readonly Run[] {
  const runs: Run[] = []
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column)
    if (cell === undefined || cell.getWidth() === 0) continue
    const text = cell.getChars() || " "
    const names = [
      cell.isBold() ? "bold" : "",
      cell.isDim() ? "dim" : "",
      cell.isFgDefault() ? "" : `fg${cell.getFgColor()}`,
    ]
    const style = names.filter(name => name !== "").join(" ")
    const last = runs.at(-1)
    if (last !== undefined && last.style === style)
      runs[runs.length - 1] = { ...last, text: last.text + text }
    else runs.push({ text, column, style })
  }
  return runs
}

function draw(lines: readonly (readonly Run[])[]): string {
  const [cell, row, margin] = [8.4, 19, 16]
  const width = Math.ceil(columns * cell) + 2 * margin
  const height = lines.length * row + 2 * margin
  const texts = lines.flatMap((runs, index) =>
    runs
      .filter(run => run.text.trim() !== "")
      .map(({ text, column, style }) => {
        // Blanks at either end are places, not letters.
        const shown = text.trim()
        const x = (margin + (column + text.indexOf(shown)) * cell).toFixed(1)
        const length = (shown.length * cell).toFixed(1)
        const named = style === "" ? "" : ` class="${style}"`
        return `<text x="${x}" y="${margin + (index + 1) * row - 5}" textLength="${length}"${named}>${escaped(shown)}</text>`
      }),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="holdfast demo in a terminal">`,
    "<style>",
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d7dae0;white-space:pre}",
    ".bold{font-weight:bold}.dim{fill:#8b919c}.fg1{fill:#e06c75}.fg2{fill:#98c379}.fg3{fill:#e5c07b}.fg6{fill:#56b6c2}",
    "</style>",
    `<rect width="${width}" height="${height}" rx="10" fill="#1e2127"/>`,
    ...texts,
    "</svg>",
    "",
  ].join("\n")
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
}
