/**
 * A host's report that it launched a run races with its first look at the run's folder: either may be logged first.
 * Here the report always comes before what was found; what lies between moves down by one. Nothing else changes.
 */
export function launchedFirst(text: string): string {
  const lines = text.split("\n")
  for (const [late, line] of lines.entries()) {
    const run = runOf(line, "launched")
    const early = run === null ? late : foundBefore(lines, late, run)
    if (run === null || early === late) continue
    const span = lines.slice(early, late + 1)
    const inOrder = [asBeforeFound(line), ...span.slice(0, -1)]
    const placed = renumbered(inOrder, span, position, () => true)
    lines.splice(early, span.length, ...renumbered(placed, span, version, other => other.includes(run)))
  }
  return lines.join("\n")
}

const position = /^ *\d+(?= )|(?<="position":)\d+/
const version = /(?<="version":)\d+/

function runOf(line: string, event: string): string | null {
  const plain = new RegExp(`^ *\\d+ .*(run:<turn \\d+>\\.\\d+) +${event} `)
  const json = new RegExp(`^\\{"type":"logged",.*"stream":"(run:<turn \\d+>\\.\\d+)",.*"event":"${event}"`)
  return (plain.exec(line) ?? json.exec(line))?.[1] ?? null
}

/** The first look at this run in the same listing, or the place given. */
function foundBefore(lines: readonly string[], from: number, run: string): number {
  let first = from
  for (let index = from - 1; position.test(lines[index] ?? ""); index -= 1)
    if (runOf(lines[index] ?? "", "found") === run) first = index
  return first
}

function asBeforeFound(line: string): string {
  return line
    .replace(/\w+ \(without effect\)/, "spawning (without effect)")
    .replace(/"from":"\w+","to":"\w+"/, '"from":"spawning","to":"spawning"')
}

/** Those that are chosen get, in order, the numbers that those had before. */
function renumbered(
  lines: readonly string[],
  before: readonly string[],
  number: RegExp,
  isChosen: (line: string) => boolean,
): readonly string[] {
  const numbers = before.filter(isChosen).map(line => number.exec(line)?.[0])
  return lines.map(line => (isChosen(line) ? line.replace(number, old => numbers.shift() ?? old) : line))
}
