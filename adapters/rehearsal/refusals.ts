/**
 * What the Cursor CLI prints on stderr when it will not start a turn: the wordings that people recorded, one
 * constant or function each. Where nobody recorded one, the comment says so. No logic: who refuses, and in
 * which order, is in `checks.ts`.
 */

export const authenticationRequired =
  "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.\n"

export const authenticationRequiredOlder =
  "Error: Authentication required. Please run 'cursor-agent login' first, or set CURSOR_API_KEY environment variable.\n"

export const modelsUnauthenticated =
  "Error: Authentication required. Run 'agent login', pass --api-key/--auth-token, or set CURSOR_API_KEY/CURSOR_AUTH_TOKEN.\n"

/** Coloured whatever TERM and NO_COLOR say. */
export const invalidKey =
  "\x1b[33m⚠ Warning: The provided API key is invalid.\x1b[39m\n" +
  "Please check you have the right key, create a new one, or authenticate without it.\n"

export const unknownModel = (model: string, known: readonly string[]): string =>
  `Cannot use this model: ${model}. Available models: ${known.join(", ")}\n`

export const namedModelOnFreePlan =
  "ActionRequiredError: Named models unavailable Free plans can only use Auto. " +
  "Switch to Auto or upgrade plans to continue.\n"

export const usageLimitFree =
  "ActionRequiredError: You've hit your usage limit Get Cursor Pro for more Agent usage, unlimited Tab, and more.\n"

export const usageLimitPaid =
  "ActionRequiredError: You've hit your usage limit for Opus " +
  "Switch to a different model or set a Spend Limit to continue with Opus. " +
  "Your usage limits will reset when your monthly cycle ends on 11/3/2026.\n"

export const workspaceTrust = (cwd: string): string =>
  `⚠ Workspace Trust Required\n\nCursor Agent can run commands and change files in this directory.\n\n` +
  `Do you trust the contents of this directory?\n  ${cwd}\n\n` +
  `Pass --trust, --yolo, or -f if you trust this directory\n`

export const configRace = (folder: string): string =>
  `Error: ENOENT: no such file or directory, rename '${folder}/cli-config.json.tmp' -> '${folder}/cli-config.json'\n`

export const configRaceWindows =
  "Error: EPERM: operation not permitted, rename " +
  "'C:\\Users\\ada\\.cursor\\cli-config.json.7156.3f1b3e0e-2f0c-4a52-9a70-41d1d0a6a3c8.tmp' -> " +
  "'C:\\Users\\ada\\.cursor\\cli-config.json'\n"

export const malformedChatId = (id: string): string =>
  `Failed to claim persistent session for chat "${id}": Persistent-session chat ID must be a UUID\n`

export const chatIsBusy = (id: string): string =>
  `Chat ${id} may still be running, but Cursor could not verify its persistent session: ` +
  `Persistent chat ownership is currently changing for ${id}\n`

/** [not recorded] A caller-chosen id that is taken. */
export const chatIdTaken = (id: string): string => `Error: Session ID ${id} is already in use.\n`

/** [not recorded] */
export const badOutputFormat = (format: string): string =>
  `Error: Invalid output format: ${format}. Expected text, json or stream-json.\n`

/** [not recorded] */
export const noPrompt = "Error: No prompt provided for print mode.\n"

/** [not recorded] */
export const noSuchWorkspace = (path: string): string => `Error: Workspace does not exist: ${path}\n`

/** `ls`, `resume` and a bare start want a terminal; this is what their toolkit says without one. */
export const noTerminal =
  "ERROR Raw mode is not supported on the current process.stdin, which Ink uses as input stream by default.\n"

export const aborting = "Aborting operation...\n"
