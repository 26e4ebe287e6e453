/**
 * Sessions that were just claimed and whose runs are being adopted. Until that is done nothing of what an earlier
 * host left is performed as if this host had asked for it, and no timer speaks.
 */
import { Context, Layer } from "effect"

export class Held extends Context.Service<
  Held,
  {
    readonly hold: (sessions: readonly string[]) => void
    readonly release: (sessions: readonly string[]) => void
    readonly has: (session: string) => boolean
  }
>()("holdfast/effects/host/Held") {
  static readonly layer = Layer.sync(Held, () => {
    const held = new Set<string>()
    return Held.of({
      hold: sessions => {
        for (const session of sessions) held.add(session)
      },
      release: sessions => {
        for (const session of sessions) held.delete(session)
      },
      has: session => held.has(session),
    })
  })
}
