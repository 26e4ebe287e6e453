/** The table of dependencies in README.md, and what is wrong with it. Pure. */

export interface Row {
  readonly name: string
  readonly why: string
  /** Megabytes; not a number where the column says something else. */
  readonly megabytes: number
}

export function dependencyTable(page: string): readonly Row[] {
  const [, section = ""] = page.split(/^## Dependencies$/m)
  const [table = ""] = section.split(/^## /m)
  const rows = table.split("\n").filter(line => line.startsWith("|"))
  return rows.slice(2).map(row => {
    const [name = "", why = "", size = ""] = row
      .split("|")
      .slice(1)
      .map(cell => cell.trim())
    return { name, why, megabytes: size === "" ? Number.NaN : Number(size) }
  })
}

/** Names in the table and in package.json that differ, reasons that are missing, sizes that are none. */
export function faultsOf(rows: readonly Row[], dependencies: readonly string[]): readonly string[] {
  const named = rows.map(({ name }) => name)
  return [
    ...dependencies.filter(name => !named.includes(name)).map(name => `${name} is not in the table`),
    ...named.filter(name => !dependencies.includes(name)).map(name => `${name} is no dependency`),
    ...named.filter((name, index) => named.indexOf(name) < index).map(name => `${name} is there twice`),
    ...rows.filter(({ why }) => why === "").map(({ name }) => `${name} has no reason`),
    ...rows.filter(({ megabytes }) => !(megabytes > 0)).map(({ name }) => `${name} has no size`),
  ]
}

/** The table tells one decimal, so a tenth more or less is no fault. */
const tolerance = (megabytes: number) => Math.max(megabytes / 4, 0.1)

/** Sizes that are more than a quarter off. */
export function sizeFaults(rows: readonly Row[], measuredKB: ReadonlyMap<string, number>): readonly string[] {
  return rows.flatMap(({ name, megabytes }) => {
    const measured = (measuredKB.get(name) ?? 0) / 1024
    if (Math.abs(megabytes - measured) <= tolerance(measured)) return []
    return [`${name} is ${measured.toFixed(1)} MB, the table says ${megabytes}`]
  })
}
