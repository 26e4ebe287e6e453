/**
 * Whether rows form the chain that was written: positions without gap, each row's hash right, each naming the
 * one before. It looks at stored values only, so that it works on rows that nobody can decode.
 */
import { genesis, hashRow, type RawRow } from "./chain.ts"
import type { Head } from "./types.ts"

export type ChainCode = "POSITION_GAP" | "PREV_DIFFERS" | "HASH_DIFFERS" | "HEAD_MISSING" | "HEAD_DIFFERS"

/** Feed it the rows in order of position; `expected` is a head exported earlier. */
export function chainChecker(expected?: Head, hashOf = hashRow) {
  let last: { position: unknown; hash: unknown } = { position: 0, hash: genesis }
  let seen = expected === undefined || (expected.position === 0 && expected.hash === genesis)
  return {
    add(row: RawRow): ChainCode[] {
      const codes: ChainCode[] = []
      if (typeof last.position !== "number" || row.position !== last.position + 1) codes.push("POSITION_GAP")
      if (row.prev !== last.hash) codes.push("PREV_DIFFERS")
      if (hashOf(row) !== row.hash) codes.push("HASH_DIFFERS")
      if (row.position === expected?.position) {
        seen = true
        if (row.hash !== expected?.hash) codes.push("HEAD_DIFFERS")
      }
      last = { position: row.position, hash: row.hash }
      return codes
    },
    /** After the last row: a head that was never reached shows a cut tail. */
    end: (): ChainCode[] => (seen ? [] : ["HEAD_MISSING"]),
    head(): Head {
      const { position, hash } = last
      return typeof position === "number" && typeof hash === "string"
        ? { position, hash }
        : { position: 0, hash: genesis }
    },
  }
}
