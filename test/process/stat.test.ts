/** The parsers of what the system says, on text as the systems give it. */
import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"
import { parseLstart, parseProcStat, parsePsRow } from "../../effects/process/stat.ts"
import { psColumns } from "../../effects/process/table.ts"

const tail = "S 1 42 42 0 -1 4194304 99 0 0 0 1 2 0 0 20 0 1 0 123456 2500000 200 18446744073709551615"

test("the start time is counted from the last parenthesis, whatever the name holds", () => {
  for (const name of ["sh", "a b", "x) S 9 9 9", "((", "new\nline", ") ) "]) {
    expect(parseProcStat(`42 (${name}) ${tail}\n`), name).toEqual({
      pid: 42,
      parent: 1,
      group: 42,
      session: 42,
      start: "123456",
      zombie: false,
    })
  }
})

test("a zombie is told from a leader that left its threads behind", () => {
  expect(parseProcStat(`42 (x) ${tail.replace("S", "Z")}`)?.zombie).toBe(true)
  expect(parseProcStat(`42 (x) ${tail.replace("S", "Z").replace("20 0 1 0", "20 0 3 0")}`)?.zombie).toBe(
    false,
  )
})

test("text that is not as documented gives null", () => {
  for (const text of ["", "42", "42 (x", "42 (x) S 1", "x (y) S", `(x) ${tail}`]) {
    expect(parseProcStat(text)).toBeNull()
  }
})

test("a row of ps is parsed, its spaces made single, its zombies seen", () => {
  expect(parsePsRow("  501     1   501 Ss   Sun Nov  3 04:05:06 2024    ")).toEqual({
    pid: 501,
    parent: 1,
    group: 501,
    session: 501,
    start: "Sun Nov 3 04:05:06 2024",
    zombie: false,
  })
  expect(parsePsRow("7 1 7 Z+ Sun Nov 30 04:05:06 2025")?.zombie).toBe(true)
  expect(parsePsRow("7 1 7 S 30.11.2025")).toBeNull()
  expect(parsePsRow("")).toBeNull()
})

test("a row of this system's own ps is understood", () => {
  const ps = spawnSync("ps", [...psColumns, "-p", String(process.pid)], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
  })
  const row = parsePsRow(ps.stdout.trimEnd())
  expect(row).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false })
})

test("a date in another locale is not a start", () => {
  expect(parseLstart("So. 30 Nov. 04:05:06 2025")).toBeNull()
  expect(parseLstart("Sun Nov 30 04:05:06 2025\n")).toBe("Sun Nov 30 04:05:06 2025")
})
