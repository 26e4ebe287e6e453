/** What the agent plays for each behaviour, and all that it would say if nobody stopped it. Data only. */
import type { Scenario, Step } from "../../../adapters/rehearsal/index.ts"
import { type Behaviour, behaviour } from "./script.ts"

interface Play {
  readonly steps: readonly Step[]
  /** In the order in which it is said; `$PROMPT` stands for the prompt. */
  readonly says: string
  /** It goes on until somebody ends it. */
  readonly endless?: boolean
}

const opening: readonly Step[] = [{ do: "init" }, { do: "user" }]
const answer = "You said $PROMPT, and here is what came of it. "
const more = "That was all."
const says = (text: string, chunks: number, waitMs = 0): Step => ({ do: "text", text, chunks, waitMs })
const well = (...steps: readonly Step[]): readonly Step[] => [...opening, ...steps, { do: "result" }]
const all = ["SIGINT", "SIGTERM", "SIGHUP"] as const
const chatter = "and so on, ".repeat(150)

const plays: { readonly [B in Behaviour]: Play } = {
  quick: { steps: well(says(answer, 3)), says: answer },
  slow: { steps: well(says(answer, 12, 8)), says: answer },
  tool: {
    steps: well(
      says(answer, 2),
      { do: "tool", kind: "edit", args: { path: "notes.txt" }, append: "$PROMPT\n", real: true, waitMs: 20 },
      says(more, 2),
    ),
    says: answer + more,
  },
  lingers: { steps: [...well(says(answer, 3)), { do: "hang" }], says: answer },
  softError: {
    steps: [
      ...opening,
      says(answer, 4),
      { do: "result", isError: true, text: "The upstream closed its stream" },
    ],
    says: answer,
  },
  /** Somebody in a session of his own, who takes no notice of signals. */
  escapes: {
    steps: well({ do: "spawn", command: "sleep 300", detached: true, ignoreSignals: all }, says(answer, 3)),
    says: answer,
  },
  failsLate: {
    steps: [
      ...opening,
      says(answer, 3),
      { do: "stderr", text: "It broke over $PROMPT\n" },
      { do: "exit", code: 1 },
    ],
    says: answer,
  },
  silent: {
    steps: [
      { do: "stderr", text: "No luck with $PROMPT\n" },
      { do: "exit", code: 1 },
    ],
    says: "",
  },
  /** Says that nothing was done, so it is run once more; and fails again. */
  flaky: {
    steps: [
      {
        do: "stderr",
        text: "Error: ENOENT: no such file or directory, rename 'cli-config.json.tmp' -> 'cli-config.json'\n",
      },
      { do: "exit", code: 1 },
    ],
    says: "",
  },
  deaf: {
    steps: [
      { do: "ignoreSignals", signals: all },
      ...opening,
      says(answer, 3),
      says(chatter, 150, 40),
      { do: "hang" },
    ],
    says: answer + chatter,
    endless: true,
  },
}

/** One scenario for all prompts: the word in brackets says which turn is played. */
export const scenario: Scenario = {
  turns: behaviour.options.map(name => ({
    when: { promptIncludes: `[${name}]` },
    steps: plays[name].steps,
  })),
}

export interface Prompt {
  readonly text: string
  readonly plays: Behaviour
}

/** The nth prompt of a sequence; its first word is nowhere else, also not in another prompt. */
export function promptOf(nth: number, name: Behaviour): Prompt {
  return { text: `zq${nth}qz [${name}] if you please`, plays: name }
}
/** The word that must be nowhere once its session was erased: prompt, reply and explanation all hold it. */
export const secretOf = ({ text }: Prompt): string => text.slice(0, text.indexOf(" "))
export const fullReply = ({ text, plays: name }: Prompt): string =>
  plays[name].says.replaceAll("$PROMPT", text)
export const isEndless = ({ plays: name }: Prompt): boolean => plays[name].endless === true
