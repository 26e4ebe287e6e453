/** Reading a spool that grows, shrinks and stops. */
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { readEnd, SpoolTail, type TailOptions } from "../../effects/run-folder/tail.ts"
import { world } from "./support.ts"

function spool(text: string | Uint8Array) {
  const path = join(world().root, "stdout")
  writeFileSync(path, text)
  return path
}

async function open(path: string, over: Partial<TailOptions> = {}) {
  const tail = await Effect.runPromise(SpoolTail.open({ run: "r", path, maxLineBytes: 1024, ...over }))
  return { tail, read: () => Effect.runPromise(tail.read) }
}

test("it gives whole lines with their offsets, and commits at line starts only", async () => {
  const path = spool("one\ntw")
  const { tail, read } = await open(path)
  expect(await read()).toEqual({
    lines: [{ kind: "line", text: "one", offset: 0, next: 4 }],
    offset: 4,
    truncated: false,
    more: false,
    size: 6,
  })
  appendFileSync(path, "o\nthree")
  expect(await read()).toMatchObject({ lines: [{ text: "two", offset: 4, next: 8 }], offset: 8 })
  expect(await read()).toMatchObject({ lines: [], offset: 8 })
  expect(tail.finish()).toEqual({ kind: "line", text: "three", offset: 8, next: 13 })
  tail.close()
  tail.close()
})

test("it begins where it is told to", async () => {
  const { tail, read } = await open(spool("one\ntwo\n"), { offset: 4 })
  expect((await read()).lines).toEqual([{ kind: "line", text: "two", offset: 4, next: 8 }])
  tail.close()
})

test("a spool that became shorter than the offset is said to be truncated, and read from 0", async () => {
  const path = spool("one\ntwo\nthr")
  const { tail, read } = await open(path)
  await read()
  writeFileSync(path, "new\n")
  expect(await read()).toMatchObject({
    truncated: true,
    lines: [{ text: "new", offset: 0, next: 4 }],
    offset: 4,
  })
  expect(await read()).toMatchObject({ truncated: false, lines: [] })
  tail.close()
})

test("an offset beyond the file at the start is truncation too", async () => {
  const { tail, read } = await open(spool("a\n"), { offset: 100 })
  expect(await read()).toMatchObject({ truncated: true, lines: [{ text: "a", offset: 0 }] })
  tail.close()
})

test("I16: one read is one chunk, and a line over the limit is not kept", async () => {
  const { tail, read } = await open(spool(`${"x".repeat(300_000)}\nend\n`), { chunkBytes: 65_536 })
  const seen = []
  for (let more = true; more; ) {
    const got = await read()
    expect(got.lines.length).toBeLessThan(65_536)
    seen.push(...got.lines)
    more = got.more
  }
  expect(seen).toEqual([
    { kind: "tooLong", head: "x".repeat(1024), bytes: 300_000, offset: 0, next: 300_001 },
    { kind: "line", text: "end", offset: 300_001, next: 300_005 },
  ])
  tail.close()
})

test("the end of stderr begins at a whole character", async () => {
  const path = spool("é".repeat(50))
  expect(await Effect.runPromise(readEnd("r", path, 11))).toBe("é".repeat(5))
  expect(await Effect.runPromise(readEnd("r", path))).toBe("é".repeat(50))
})

test("a spool that is not there is a typed error", async () => {
  const absent = join(world().root, "absent")
  await expect(open(absent)).rejects.toMatchObject({ _tag: "RunFolderError", code: "MISSING" })
})
