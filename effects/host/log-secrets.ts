/**
 * What must not be seen in a log line although it is at hand here: the values of the variables that the agents call
 * secret. They are looked for in every text of every line, whichever way they came into it.
 */
import type { AgentAdapter, Environment } from "../agent.ts"

const censored = "[redacted]"
/** Shorter values are no keys, and would be found in every other word. */
const minLength = 4

/** A function that takes the secrets' values out of a value's texts, keys included. Other values stay as they are. */
export function scrubber(agents: Iterable<AgentAdapter>, env: Environment): (value: unknown) => unknown {
  const values = secretValues(agents, env)
  if (values.length === 0) return value => value
  const clean = (text: string) => values.reduce((left, value) => left.replaceAll(value, censored), text)
  const scrub = (value: unknown): unknown => {
    if (typeof value === "string") return clean(value)
    if (Array.isArray(value)) return value.map(scrub)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [clean(name), scrub(part)]))
  }
  return scrub
}

/** Names that pino's own redaction looks for, in case a whole environment is ever handed to a line. */
export function secretPaths(agents: Iterable<AgentAdapter>): string[] {
  const names = new Set([...agents].flatMap(agent => agent.secretVariables))
  return [...names].flatMap(name => [`[${JSON.stringify(name)}]`, `*[${JSON.stringify(name)}]`])
}

/** The longest first, so that a key that begins like another one leaves nothing behind. */
function secretValues(agents: Iterable<AgentAdapter>, env: Environment): readonly string[] {
  const values = [...agents].flatMap(agent => {
    const given = environmentOf(agent, env)
    return agent.secretVariables.flatMap(name => [env[name], given[name]])
  })
  const whole = values.flatMap(value => (value === undefined ? [] : [value, value.trim()]))
  return [...new Set(whole)]
    .filter(value => value.length >= minLength)
    .toSorted((a, b) => b.length - a.length)
}

/** An adapter may set its variables itself; one that cannot say so is refused when it is asked to run. */
function environmentOf(agent: AgentAdapter, env: Environment): Environment {
  try {
    return agent.childEnvironment(env)
  } catch {
    return {}
  }
}
