/**
 * The models that the rehearsal pretends to have: ids as the CLI lists them, and the display name that is all
 * `system/init` ever says about a model. No prices, and no claim that a real account has any of them.
 */

const efforts = ["low", "medium", "high", "xhigh"] as const
const families = [
  "claude-opus-5-5",
  "claude-opus-5-thinking",
  "claude-opus-4-8",
  "claude-sonnet-5-5",
  "claude-sonnet-5-thinking",
  "cursor-grok-4.6",
  "gemini-3.1-pro",
  "gpt-5.4",
  "gpt-5.4-mini",
  "gpt-5.5",
  "gpt-5.6-sol",
  "gpt-6-sol",
  "grok-4.7",
  "kimi-k3",
] as const

export const modelIds: readonly string[] = [
  "auto",
  "composer-2.5",
  "composer-2.5-fast",
  ...families.flatMap(family =>
    efforts.flatMap(effort => [`${family}-${effort}`, `${family}-${effort}-fast`]),
  ),
]

/** A base name that is not listed resolves in silence, as it does in the CLI. */
export const isKnownModel = (id: string, known: readonly string[]): boolean =>
  known.includes(id) || (known === modelIds && families.some(family => family === id))

export const displayName = (id: string): string =>
  id
    .split("-")
    .map(word => (word === "gpt" ? "GPT" : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join(" ")
    .replace(/^GPT (?=\d)/, "GPT-")
    .replace(/(\d) (\d)(?= |$)/, "$1.$2")

/** OpenAI models are the ones whose call ids hold a newline. */
export const hasNewlineInCallIds = (id: string): boolean => id.startsWith("gpt-") || id === "auto"

export const listing = (known: readonly string[]): string =>
  [
    "Available models",
    "",
    ...known.map(id => `${id} - ${displayName(id)}${id === "auto" ? " (current, default)" : ""}`),
    "",
    "Tip: use --model <id> (or /model <id> in interactive mode) to switch.",
    "",
  ].join("\n")
