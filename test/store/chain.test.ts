import { describe, expect, test } from "vitest"
import { columns, hashRow, type RawRow } from "../../store/chain.ts"
import { chainChecker } from "../../store/chain-check.ts"
import type { Db } from "../../store/database.ts"
import { eachRow } from "../../store/fold.ts"
import { command, launch, openHost, send, smallLog, temporaryFolder } from "./support.ts"

/** Whether the chain alone shows that something was changed; `hashOf` can be a worse hash, to see it fail. */
function broken(db: Db, hashOf = hashRow): boolean {
  const chain = chainChecker(undefined, hashOf)
  for (const row of eachRow(db)) if (chain.add(row).length > 0) return true
  return false
}

/** Run a change, look, and take it back. */
function tamper<T>(db: Db, change: () => void, look: () => T): T | "impossible" {
  db.exec("BEGIN")
  try {
    change()
    return look()
  } catch {
    return "impossible" // the table itself refused it
  } finally {
    db.exec("ROLLBACK")
  }
}

interface Cell {
  readonly position: number
  readonly column: string
  readonly type: "text" | "integer" | "null"
  readonly bytes: Buffer
}

function cells(db: Db): Cell[] {
  return columns.flatMap(column =>
    db
      .prepare<[], Cell>(
        `SELECT position, '${column}' AS "column", typeof(${column}) AS type,
           CAST(coalesce(${column}, '') AS BLOB) AS bytes FROM events ORDER BY position`,
      )
      .all(),
  )
}

async function log() {
  const { db, store } = openHost(temporaryFolder())
  await smallLog(store)
  db.exec("DROP INDEX events_stream") // so that a change is not refused before it can be seen
  return { db, store }
}

describe("verify", () => {
  test("finds every changed byte of every column of every event", async () => {
    const { db, store } = openHost(temporaryFolder())
    await launch(store, "a")
    await send(store, "a", "a1", "prompt")
    await store.submit(command("a", "pause"))
    db.exec("DROP INDEX events_stream")
    expect(broken(db)).toBe(false)
    const missed: string[] = []
    const refused: string[] = []
    let tried = 0
    for (const { position, column, type, bytes } of cells(db)) {
      const text = db.prepare(`UPDATE events SET ${column} = CAST(? AS TEXT) WHERE position = ?`)
      const number = db.prepare(`UPDATE events SET ${column} = ${column} + ? WHERE position = ?`)
      for (let index = 0; index < bytes.length; index += 1) {
        const changed = Buffer.from(bytes)
        // Every other byte is made non-ASCII, where decoding could hide the difference.
        changed[index] = (bytes[index] ?? 0) ^ (index % 2 === 0 ? 1 : 0x80)
        const change = () => {
          if (type === "text") text.run(changed, position)
          else number.run(256 ** (index % 6), position)
        }
        tried += 1
        const found = tamper(db, change, () => broken(db))
        if (found === false) missed.push(`${position}.${column}[${index}]`)
        if (found === "impossible") refused.push(column)
      }
    }
    expect(missed).toEqual([])
    expect(refused.filter(column => column !== "position")).toEqual([])
    expect(tried).toBeGreaterThan(2_500)
  })

  test("tells NULL from an empty text and a text from a number", async () => {
    const { db } = await log()
    for (const column of columns) {
      for (const value of ["NULL", "''", "'0'", "0", "'1'", "1", "'null'"]) {
        const changed = tamper(
          db,
          () => {
            const { changes } = db
              .prepare(
                `UPDATE events SET ${column} = ${value} WHERE position = 3 AND ${column} IS NOT ${value}`,
              )
              .run()
            if (changes === 0) throw new Error("it is that already")
          },
          () => broken(db),
        )
        expect(["impossible", true], `${column} = ${value}`).toContain(changed)
      }
    }
  })

  test("would miss a changed column if that column were not hashed", async () => {
    const { db } = await log()
    const rows = [...eachRow(db)].slice(0, 3)
    for (const column of columns.filter(name => name !== "hash")) {
      const worse = (row: RawRow) => hashRow({ ...row, [column]: "left out" })
      const resealed = rows.map(row => ({ ...row, [column]: "changed", hash: worse(row) }))
      const codes = (hashOf: typeof worse) => {
        const chain = chainChecker(undefined, hashOf)
        return resealed.flatMap(row => chain.add(row))
      }
      expect(codes(worse), column).not.toContain("HASH_DIFFERS")
      expect(codes(hashRow), column).toContain("HASH_DIFFERS")
    }
  })

  test("finds a deleted, a swapped and an inserted row, and says where", async () => {
    const { db, store } = await log()
    const codesAt = () => store.verify().problems.map(({ code, position }) => `${code}@${position}`)
    const row7 = "SELECT * FROM events WHERE position = 7"
    const change = (sql: string) => {
      db.exec("SAVEPOINT change")
      db.exec(sql)
      const codes = codesAt()
      db.exec("ROLLBACK TO change; RELEASE change")
      return codes
    }
    expect(change("DELETE FROM events WHERE position = 7")).toContain("POSITION_GAP@8")
    expect(change("DELETE FROM events WHERE position = 1")).toContain("POSITION_GAP@2")
    const swap =
      "UPDATE events SET position = -6 WHERE position = 6; UPDATE events SET position = 6 WHERE position = 7; UPDATE events SET position = 7 WHERE position = -6"
    expect(change(swap)).toEqual(expect.arrayContaining(["HASH_DIFFERS@6", "HASH_DIFFERS@7"]))
    const insert = `CREATE TEMP TABLE copy AS ${row7}; UPDATE copy SET position = 1000; INSERT INTO events SELECT * FROM copy; DROP TABLE copy`
    expect(change(insert)).toEqual(expect.arrayContaining(["POSITION_GAP@1000", "HASH_DIFFERS@1000"]))
    expect(codesAt()).toEqual([])
  })

  test("finds a cut tail with the head that was kept elsewhere, and only then", async () => {
    const { db, store } = await log()
    const head = store.head()
    expect(store.verify({ head }).ok).toBe(true)
    db.prepare("DELETE FROM events WHERE position = ?").run(head.position)
    expect(broken(db)).toBe(false)
    const { ok, problems } = store.verify({ head })
    expect(ok).toBe(false)
    expect(problems).toContainEqual(
      expect.objectContaining({ code: "HEAD_MISSING", position: head.position }),
    )
  })

  test("finds a log that was rewritten from some point on", async () => {
    const { db, store } = await log()
    const head = store.head()
    let prev = "0".repeat(64)
    for (const row of [...eachRow(db)]) {
      const next = { ...row, prev, at: 5 }
      prev = hashRow(next)
      db.prepare("UPDATE events SET at = 5, prev = ?, hash = ? WHERE position = ?").run(
        next.prev,
        prev,
        row.position,
      )
    }
    expect(broken(db)).toBe(false)
    expect(store.verify({ head }).problems).toContainEqual(expect.objectContaining({ code: "HEAD_DIFFERS" }))
  })

  test("never throws on garbage", async () => {
    const { db, store } = await log()
    db.exec(
      "UPDATE events SET data = 'x' || x'ff00', stream = '', machine = '\u{1f600}' WHERE position % 3 = 0",
    )
    db.exec("UPDATE events SET data = '[]', type = 'nothing' WHERE position % 3 = 1")
    db.exec(
      "UPDATE turns SET failure_kind = 'x'; UPDATE outbox SET params = '{'; UPDATE streams SET context = 'x'",
    )
    const report = store.verify()
    expect(report.ok).toBe(false)
    expect(report.problems.length).toBeGreaterThan(10)
  })
})
