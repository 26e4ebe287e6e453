/** The codex that is installed here, at exactly the version of `package.json`, and how it is led to a model. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { type CodexOptions, codex } from "../../adapters/agents/index.ts"

const here = import.meta.dirname
const packageFile = z.object({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
})
const readPackage = (path: string) => packageFile.parse(JSON.parse(readFileSync(path, "utf8")))

export const wanted = readPackage(join(here, "package.json")).dependencies["@openai/codex"]
export const binary = join(here, "node_modules", ".bin", "codex")

/** Null when nothing is installed. */
export function installed(): string | null {
  const path = join(here, "node_modules", "@openai", "codex", "package.json")
  return existsSync(path) && existsSync(binary) ? (readPackage(path).version ?? null) : null
}

export interface Lead {
  /** Base URL of the model's service. */
  readonly url: string
  readonly sandbox?: CodexOptions["sandbox"]
  /** How often codex itself tries again, after a refusal and after a broken stream. Default 0. */
  readonly retries?: number
  /** How long a stream may be silent, ms. Default: longer than any test. */
  readonly silenceMs?: number
  readonly passEnvironment?: readonly string[]
}

/** An adapter whose only model service is the one at `url`. */
export const ledTo = ({ url, sandbox, retries = 0, silenceMs = 3_600_000, passEnvironment = [] }: Lead) =>
  codex({
    binary,
    // One that codex knows, or it warns on every turn.
    model: "gpt-5.5",
    passEnvironment,
    ...(sandbox !== undefined && { sandbox }),
    config: {
      model_provider: "loopback",
      "model_providers.loopback.name": "loopback",
      "model_providers.loopback.base_url": url,
      "model_providers.loopback.wire_api": "responses",
      "model_providers.loopback.env_key": "CODEX_API_KEY",
      "model_providers.loopback.request_max_retries": retries,
      "model_providers.loopback.stream_max_retries": retries,
      "model_providers.loopback.stream_idle_timeout_ms": silenceMs,
      "analytics.enabled": false,
      // Every temporary folder is a place to write, unless it is said otherwise; ours are in one.
      "sandbox_workspace_write.exclude_slash_tmp": true,
      "sandbox_workspace_write.exclude_tmpdir_env_var": true,
    },
  })
