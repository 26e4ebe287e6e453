/**
 * The commands that start no turn: what a host's health check asks. Like the real ones they exit with 0 whether
 * or not somebody is logged in, so only their text tells. The commands that want a terminal fail for want of one.
 */
import { randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { chatsFolder, openChat } from "./chats.ts"
import { standing } from "./checks.ts"
import { lastModel } from "./config.ts"
import type { Command } from "./flags.ts"
import { displayName, listing, modelIds } from "./models.ts"
import { modelsUnauthenticated, noTerminal } from "./refusals.ts"
import type { Scenario } from "./scenario.ts"
import type { Wings } from "./stage.ts"

/** Opaque, as the real one: a date and seven hex digits. */
export const version = "2026.09.28-4e6f1ab"
const email = "rehearsal@example.invalid"

export const help = `Usage: agent [options] [command] [prompt...]

A rehearsal of the Cursor Agent: it takes the same flags and asks no service.

Options:
  -p, --print                Print the reply and exit
  --output-format <format>   text | json | stream-json
  --stream-partial-output    Stream the reply as deltas
  -f, --force, --yolo        Run every command that is not denied
  --trust                    Trust the workspace
  --model <model>            Model to use
  --list-models              List the models
  --resume [chatId]          Go on with a chat
  --workspace <path>         Workspace to work in

Environment:
  HOLDFAST_REHEARSAL          A built-in scenario, or the path of a scenario file
  HOLDFAST_REHEARSAL_JOURNAL  Where to write what was done, one JSON line per fact
  HOLDFAST_REHEARSAL_PACE     Multiplies every wait; 0 waits for nothing
`

export const runCommand = (command: Command, wings: Wings, scenario: Scenario): number => {
  const { flags, out, key, config } = wings
  const loggedIn = standing(scenario.account ?? {}, key) === "in"
  const inJson = flags.text("format") === "json"
  switch (command) {
    case "help":
      out.print(help)
      return 0
    case "models":
      return listModels(wings, scenario)
    case "status":
    case "whoami":
      if (inJson)
        out.print(
          `${JSON.stringify({
            status: loggedIn ? "authenticated" : "unauthenticated",
            isAuthenticated: loggedIn,
            hasAccessToken: loggedIn,
            hasRefreshToken: loggedIn,
            ...(loggedIn && { userInfo: { email, userId: 1, firstName: "Re", lastName: "Hearsal" } }),
          })}\n`,
        )
      else out.print(loggedIn ? `\n✓ Logged in as ${email}\n` : "\nNot logged in\n")
      return 0
    case "about": {
      const facts = {
        cliVersion: version,
        model: displayName(lastModel(config)),
        subscriptionTier: scenario.account?.plan ?? "pro",
        osPlatform: process.platform,
        osArch: process.arch,
        userEmail: loggedIn ? email : null,
      }
      out.print(inJson ? `${JSON.stringify(facts)}\n` : `${tableOf(facts)}\n`)
      return 0
    }
    case "mcp":
      out.print(mcpList(process.cwd()))
      return 0
    case "create-chat": {
      const id = randomUUID()
      openChat(join(chatsFolder(config, process.cwd()), id), id, process.cwd())
      out.print(`${id}\n`)
      return 0
    }
    case "login":
    case "logout":
    case "update":
    case "upgrade":
      return 0
    case "ls":
    case "resume":
      out.complain(noTerminal)
      return 1
  }
}

export const listModels = ({ key, out }: Wings, scenario: Scenario): number => {
  if (standing(scenario.account ?? {}, key) !== "in") {
    out.complain(modelsUnauthenticated)
    return 1
  }
  out.print(listing(scenario.models ?? modelIds))
  return 0
}

const tableOf = (facts: Readonly<Record<string, string | null>>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${value ?? "-"}`)
    .join("\n")

/** Servers of the workspace wait for an approval; it starts none of them. */
const mcpList = (cwd: string): string => {
  const file = join(cwd, ".cursor", "mcp.json")
  const none = "No MCP servers configured (expected in .cursor/mcp.json or ~/.cursor/mcp.json)\n"
  if (!existsSync(file)) return none
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"))
    const servers: unknown =
      typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "mcpServers") : undefined
    const names = typeof servers === "object" && servers !== null ? Object.keys(servers) : []
    return names.length === 0 ? none : names.map(name => `${name}: not loaded (needs approval)\n`).join("")
  } catch {
    return none
  }
}
