/** A claim by the host: nobody starts this run any more, or a launcher was first. */
import { orThrow } from "../../machines/index.ts"
import type { Move } from "./explore.ts"
import { folderOf, publish } from "./state.ts"
import type { Work } from "./work.ts"
import type { World } from "./world.ts"

export function tombstoneMoves({ config, world, row, progress, go, say }: Work): Move<World>[] {
  const { run } = row
  if (progress.at === "claimTried") {
    if (progress.claim === "tombstoned" || config.faults.includes("claimLostIgnored"))
      return [say({ type: "tombstoned" })]
    return [say({ type: "claimLost", launcher: orThrow(folderOf(world, run).launcher) })]
  }
  if (config.faults.includes("missingTombstone"))
    return [go("claim", { at: "claimTried", claim: "tombstoned" })]
  return [claimByHost(world, run, go)]
}

export function claimByHost(world: World, run: string, go: Work["go"]): Move<World> {
  const claimed = publish(world, run, { type: "claimedByHost" })
  const mine = claimed !== null || folderOf(world, run).claim === "host"
  return go("claim", { at: "claimTried", claim: mine ? "tombstoned" : "lost" }, claimed ?? world)
}
