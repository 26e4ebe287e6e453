/** A turn as JSON lines: each event with the cursor behind it as `at`. What a reader keeps is that one word. */
import type { Output } from "../output.ts"
import type { View } from "./view.ts"

export function jsonView(output: Output): View {
  return {
    session: about => output.record({ type: "session", ...about }),
    turn: (turn, session) => output.record({ type: "turn", session, turn }),
    event: event => output.record({ ...event, cursor: undefined }),
    interrupting: turn => output.record({ type: "interrupting", turn }),
    result: (result, ended) => output.record({ type: "result", ...result, ...ended }),
  }
}
