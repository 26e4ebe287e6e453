/** Notices of what was counted while reading; what was not seen is not told. */
import type { Notice } from "../../../../effects/agent.ts"

export function counted(counts: readonly (readonly [Notice["code"], number])[]): readonly Notice[] {
  return counts.flatMap(([code, count]) => (count > 0 ? [{ type: "notice", code, count }] : []))
}

export const notice = (code: Notice["code"], count = 1): Notice => ({ type: "notice", code, count })
