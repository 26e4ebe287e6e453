/** Everything public says what it is: every name of every entry point, and every public member, has a doc comment. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { z } from "zod"
import { type PublicName, publicNames } from "./public-names.ts"

vi.setConfig({ hookTimeout: 180_000 })
const root = join(import.meta.dirname, "..", "..")
const emitted = mkdtempSync(join(tmpdir(), "holdfast-declarations-"))
afterAll(() => rmSync(emitted, { recursive: true, force: true }))

const entries = Object.values(
  z
    .object({ exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])) })
    .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).exports,
).flatMap(entry => (typeof entry === "string" ? [] : [entry.types.replace("./dist/", "")]))

beforeAll(() => {
  const tsc = join(root, "node_modules", ".bin", "tsc")
  const flags = ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--noCheck", "--outDir", emitted]
  expect(spawnSync(tsc, flags, { cwd: root, encoding: "utf8" })).toMatchObject({ status: 0, stdout: "" })
})

/** Every source begins with a comment about the file. */
const headerOf = (file: string) =>
  /^\/\*[\s\S]*?\*\//.exec(readFileSync(join(root, file.replace(/\.d\.ts$/, ".ts")), "utf8"))?.[0] ?? null

const undocumented = (names: readonly PublicName[]) =>
  names.filter(({ documented }) => !documented).map(({ name, file }) => `${file}: ${name}`)

describe("the public names", () => {
  it.each(entries)("%s: each has a doc comment", entry => {
    const names = publicNames(emitted, entry, headerOf)
    expect(names.length).toBeGreaterThan(5)
    expect(undocumented(names)).toEqual([])
  })
})

describe("the check itself", () => {
  const place = join(emitted, "planted")
  const plant = (files: Readonly<Record<string, string>>) => {
    for (const [name, source] of Object.entries(files)) {
      mkdirSync(dirname(join(place, name)), { recursive: true })
      writeFileSync(join(place, name), source)
    }
    return publicNames(place, "index.d.ts")
  }

  it("follows every way to export, and names each missing doc once", () => {
    const names = plant({
      "index.d.ts": `
        import { imported } from "./a.js";
        export * from "./deep/b.js";
        export { renamed as other, type Told } from "./a.js";
        export { imported };
        export interface Shape { a: string; /** Told. */ b(): void; readonly kind: "shape" }
        /** Told. */
        export declare class Kind { #own; private p; constructor(a: string); a: string; get c(): string; /** x */ static s: string }
        /** Told for both. */
        export declare function twice(a: string): void;
        export declare function twice(a: number): void;
        /** Told. */
        declare const later: string;
        export { later };
      `,
      "a.d.ts": `
        export declare const imported: string;
        export declare const renamed: string;
        export declare const hidden: string;
        /** Told. */
        export type Told = { x: string };
      `,
      "deep/b.d.ts": `
        // Not a doc.
        export declare const deep: string;
        /** Told, but of another statement. */
        declare const secret: string;
        export declare const near: string;
      `,
    })
    expect(undocumented(names).toSorted()).toEqual([
      "a.d.ts: Told.x",
      "a.d.ts: imported",
      "a.d.ts: other",
      "deep/b.d.ts: deep",
      "deep/b.d.ts: near",
      "index.d.ts: Kind.a",
      "index.d.ts: Kind.c",
      "index.d.ts: Shape",
      "index.d.ts: Shape.a",
    ])
    expect(
      names
        .filter(({ documented }) => documented)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["Kind", "Kind.s", "Shape.b", "Told", "later", "twice"])
  })
})
