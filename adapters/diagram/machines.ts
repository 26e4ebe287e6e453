/** The machines that are drawn, and what each is about in words for somebody who looks at its drawing. Data only. */
import { definitions, folder, type MachineDefinition } from "../../machines/index.ts"

export interface Drawn {
  readonly definition: MachineDefinition
  /** One paragraph; its first sentence says what the machine is. */
  readonly about: string
}

const paragraphs: Readonly<Record<string, string>> = {
  session:
    "One conversation of one agent in one worktree, and its queue of turns. " +
    "It outlives every process. It decides which turn is next and which conversation that turn resumes, " +
    "pauses itself when a person has to look, and takes no turns while it is archived or once it is disposed. " +
    "`deciding` is where it goes when a turn has settled: it is left again within the same event.",
  turn:
    "One prompt, until exactly one outcome. " +
    "It asks for a run, waits while the agent cannot be started, and judges what became of the run. It alone " +
    "decides whether another run is worth a try: once at most, and only where nothing was said or done. " +
    "Its four final states are the outcomes.",
  run:
    "One execution of a turn, until everything it started is dead. " +
    "It decides when to start the launcher, what a run folder means that was found after a crash, when silence " +
    "is too long, and how it ended. The words behind `found` are the rows of the run folder's table.",
  folder:
    "The files of a run, as host and launcher publish them. " +
    "They say who claimed the prompt, which process the agent is, how it ended. " +
    "It is no stream of the log, since nobody is asked there and nothing is requested: it says which " +
    "publication is possible after which, and the recovery is tested against it. After a power cut any file " +
    "may be gone; `judging` finds out which state is left.",
}

/** By name, in the order in which they are shown. Throws where a machine has no paragraph yet. */
export const drawn: ReadonlyMap<string, Drawn> = new Map(
  [...Object.values(definitions), folder].map(definition => {
    const about = paragraphs[definition.name]
    if (about === undefined)
      throw new TypeError(
        `machine ${definition.name}: adapters/diagram/machines.ts needs a paragraph about it`,
      )
    return [definition.name, { definition, about }]
  }),
)

/** Whether a session's log has streams of it. */
export const isLogged = (machine: string): boolean => Object.hasOwn(definitions, machine)

export const firstSentence = (about: string): string => about.slice(0, about.indexOf(". ") + 1)
