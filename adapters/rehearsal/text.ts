/** How a text is cut into the pieces in which it is streamed. Pure. No piece splits a code point. */
import type { Chunked } from "./scenario.ts"

export const piecesOf = (step: Chunked): readonly string[] => {
  if (step.pieces !== undefined) return step.pieces
  const points = Array.from(step.text ?? "")
  const cuts = step.splitAt ?? evenCuts(points.length, step.chunks ?? 1)
  return [0, ...cuts]
    .map((from, index) => points.slice(from, cuts[index]).join(""))
    .filter(piece => piece !== "")
}

const evenCuts = (length: number, chunks: number): readonly number[] =>
  Array.from({ length: Math.max(0, chunks - 1) }, (_, index) => Math.round((length * (index + 1)) / chunks))
