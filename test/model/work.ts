/** One effect at work in one host: what it knows, and the two ways to go on. It makes no move by itself. */
import type { Input } from "../../machines/index.ts"
import type { Role } from "./append.ts"
import type { Config } from "./config.ts"
import type { Move } from "./explore.ts"
import type { Host, Progress, Row, World } from "./world.ts"

export interface Work {
  readonly config: Config
  readonly world: World
  readonly host: Host
  readonly role: Role
  readonly row: Row
  readonly progress: Progress
  /** Go on with the effect from here, in a world that it changed. */
  readonly go: (label: string, progress: Progress, world?: World) => Move<World>
  /** Append the outcome, and before it, in the same commit, what else was found out. */
  readonly say: (input: Input, world?: World, before?: readonly Input[]) => Move<World>
}
