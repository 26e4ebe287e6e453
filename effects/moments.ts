/**
 * The two clocks of a host, as a service: wall time for people and for deadlines between boots, awake time for
 * watchdogs. Waiting goes through Effect's own clock; nothing else in Holdfast asks what time it is.
 */
import { Context, Layer } from "effect"

export class Moments extends Context.Service<
  Moments,
  {
    /** Milliseconds since the epoch. */
    readonly wall: () => number
    /** Milliseconds, monotonic, standing still while the machine sleeps; the same for all processes of a boot. */
    readonly awake: () => number
  }
>()("holdfast/effects/Moments") {
  static readonly layer = Layer.sync(Moments, () => Moments.of(clocks))
}

export const clocks = {
  wall: (): number => Date.now(),
  awake: (): number => Number(process.hrtime.bigint() / 1_000_000n),
}
