/** Which hosts live on a state folder, by their locks. It only asks. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { isHostDead } from "../../store/index.ts"

const lockName = /^([A-Za-z0-9][A-Za-z0-9._-]{0,127})\.lock$/

export function liveHosts(folder: string): readonly string[] {
  const hosts = join(folder, "hosts")
  const names = existsSync(hosts) ? readdirSync(hosts) : []
  const ids = names.flatMap(name => lockName.exec(name)?.[1] ?? [])
  return ids.filter(id => !isHostDead(folder, id))
}
