/**
 * A turn for a person: the reply as it comes on stdout, one line per tool and everything else on stderr. It keeps
 * only what it needs to know where on the screen it stands.
 */
import { harmless, type Paint, paletteOf } from "../colours.ts"
import { formatDuration } from "../duration.ts"
import type { Output } from "../output.ts"
import { settled, summary } from "./summary.ts"
import { ToolLines } from "./tool-lines.ts"
import type { View, ViewOptions } from "./view.ts"
import { noticeSentence } from "./words.ts"

export function personView(output: Output, options: ViewOptions): View {
  const paint = paletteOf(process.stderr)
  const clean: Paint = process.stdout.isTTY === true ? harmless : text => text
  const tools = new ToolLines(paint, options.live)
  /** Of the reply: what was streamed, and whether the screen stands in the middle of a line. */
  let streamed = ""
  let midLine = false

  const note = (line: string) => {
    if (midLine && output.shared) output.text("\n")
    if (output.shared) midLine = false
    output.note(line)
  }
  const say = (text: string) => {
    if (text === "") return
    output.text(clean(text))
    midLine = !text.endsWith("\n")
  }
  /** The final reply replaces what was streamed; as a rule it is the same. */
  const finish = (text: string) => {
    if (!text.endsWith(streamed) || streamed === "") {
      if (streamed !== "") note(paint.yellow("The agent's final reply differs from what it streamed:"))
      say(text)
    }
    if (midLine) output.text("\n")
    midLine = false
    streamed = ""
  }

  return {
    session: about => note(paint.dim(`session ${about.session} · ${about.agent} in ${about.cwd}`)),
    turn: () => undefined,
    event(event) {
      switch (event.type) {
        case "text.delta":
          streamed += event.text
          return say(event.text)
        case "text.final":
          return finish(event.text)
        case "tool.started":
          return tools.started(event)
        case "tool.completed":
          return note(tools.completed(event))
        case "notice":
          return note(paint.yellow(noticeSentence(event.code, event.count)))
        case "run.adopted":
          return note(paint.cyan("The host had died; this run was taken over while it went on."))
        case "run.started":
          return event.resumes === null ? undefined : note(paint.dim("goes on with its conversation"))
        case "turn.settled":
          if (midLine) output.text("\n")
          midLine = false
          streamed = ""
          // What happens here is summed up by its result.
          for (const line of options.live ? [] : settled(event, paint)) note(line)
          return undefined
        case "run.identified":
        case "thinking.delta":
        case "usage.reported":
          return undefined
      }
    },
    interrupting: () =>
      note(paint.yellow("Interrupting; waiting for the outcome. Once more ends the processes at once.")),
    result(result, { elapsedMs }) {
      for (const line of summary(result, formatDuration(elapsedMs), paint)) note(line)
      note(paint.dim(`session ${result.session} · go on: ${options.goOn(result.session)} "…"`))
    },
  }
}
