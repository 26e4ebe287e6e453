/**
 * The kernel: what a machine is, one step of it, and a replay of many. It never runs anything, and it is the
 * only file that knows what XState's pure API returns (`transition` lists actions as data and executes none).
 */
import { type AnyStateMachine, initialTransition, type StateValue, transition } from "xstate"
import { z } from "zod"
import { assertAllowed } from "./allowed.ts"

/** What an effect's id promises after a crash; see the README's guarantees. */
export const recoveryClass = z.enum(["repeatable", "adoptable", "once"])
/** One of `recoveryClass`. */
export type RecoveryClass = z.infer<typeof recoveryClass>

/** A command is asked for and may be rejected; an observation happened and never is. */
export interface InputDefinition {
  /** Whether it may be rejected. */
  readonly kind: "command" | "observation"
  /** Its data, without `type`. */
  readonly schema: z.ZodObject
}
/** One kind of effect that a machine may ask for. */
export interface EffectDefinition {
  /** What becomes of one that was under way in a crash. */
  readonly class: RecoveryClass
  /** Its parameters. */
  readonly schema: z.ZodObject
}

/** An input that somebody asks for, and that a state may reject. */
export const command = <S extends z.ZodObject>(schema: S) => ({ kind: "command", schema }) as const
/** An input that happened, and that is recorded in every state. */
export const observation = <S extends z.ZodObject>(schema: S) => ({ kind: "observation", schema }) as const
/** An effect with its recovery class and parameters. */
export const effect = <C extends RecoveryClass, S extends z.ZodObject>(recovery: C, schema: S) =>
  ({ class: recovery, schema }) as const

/** The three requests every machine may make of the kernel itself. */
export interface KernelRequests {
  /** Ask for a `timer` input with this id later; asking again replaces it. `awake` does not count suspension. */
  readonly schedule: { readonly id: string; readonly afterMs: number; readonly clock: "awake" | "wall" }
  /** Take a timer back; one that is not armed is fine. */
  readonly cancel: { readonly id: string }
  /** An input for another stream, stepped in the same transaction. */
  readonly send: {
    readonly stream: string
    readonly input: { readonly type: string } & object
    /** The input begins a stream; that it exists already refuses the whole step. */
    readonly creates?: true
  }
}
const kernelRequests = ["schedule", "cancel", "send"] as const satisfies readonly (keyof KernelRequests)[]

/** Every machine takes this one: a timer it asked for is due. */
export const timerInput = observation(z.strictObject({ id: z.string() }))

/** The inputs of a machine as a union, told apart by `type`. */
export type InputOf<I extends Record<string, InputDefinition>> = {
  [K in keyof I & string]: { readonly type: K } & z.infer<I[K]["schema"]>
}[keyof I & string]
/** The parameters of everything a machine may request, by name: its own effects and those of the kernel. */
export type RequestParams<E extends Record<string, EffectDefinition>> = {
  [K in keyof E & string]: z.infer<E[K]["schema"]>
} & KernelRequests

/** The actions of a machine: typed names that do nothing. What they would do is an effect request. */
export function requests<E extends Record<string, EffectDefinition>>(effects: E) {
  const names = [...Object.keys(effects), ...kernelRequests]
  // The mapped type cannot be built key by key; every value is the same function, so the cast is exact.
  return Object.fromEntries(names.map(name => [name, () => {}])) as unknown as {
    [K in keyof RequestParams<E>]: (_: unknown, params: RequestParams<E>[K]) => void
  }
}

/** A machine as data: what it takes, what it may ask for, what it remembers, and its table. */
export interface MachineDefinition {
  /** The first part of its streams' names. */
  readonly name: string
  /** From 1; grows when states change in a way that a replay would notice. */
  readonly version: number
  /** By `type`. `timer` is always among them. */
  readonly inputs: Readonly<Record<string, InputDefinition>>
  /** By kind. */
  readonly effects: Readonly<Record<string, EffectDefinition>>
  /** What it remembers; checked after every step. */
  readonly context: z.ZodObject
  /** The XState table. Stepped by its pure API only. */
  readonly machine: AnyStateMachine
  /** Why a command is refused in this state, as a stable code; null where the machine has no better word. */
  readonly refuse: (state: string, context: unknown, input: { readonly type: string }) => string | null
}

/** Checks a definition when it is made: a `TypeError` names what the kernel would not run. */
export function defineMachine(
  definition: Omit<MachineDefinition, "refuse"> & Partial<Pick<MachineDefinition, "refuse">>,
): MachineDefinition {
  const clash = Object.keys(definition.effects).find(name =>
    kernelRequests.some(reserved => reserved === name),
  )
  if (clash !== undefined)
    throw new TypeError(`machine ${definition.name}: effect "${clash}" is a kernel request`)
  if (!("timer" in definition.inputs))
    throw new TypeError(`machine ${definition.name}: inputs need "timer" (timerInput)`)
  assertAllowed(definition.name, definition.machine, [...Object.keys(definition.effects), ...kernelRequests])
  return { refuse: () => null, ...definition }
}

/** A stream's state between two inputs; plain JSON. */
export interface Snapshot {
  /** The state's name; for a nested or parallel one the JSON of XState's value. */
  readonly value: string
  /** What the machine remembers. */
  readonly context: Readonly<Record<string, unknown>>
  /** `done`: a final state was reached. */
  readonly status: "active" | "done"
}

/** An effect that a step asks for. */
export interface EffectRequest {
  /** Its name among the machine's effects. */
  readonly kind: string
  /** Its recovery class. */
  readonly class: RecoveryClass
  /** Checked against its schema. */
  readonly params: Readonly<Record<string, unknown>>
}
/** A timer that a step arms or takes back. */
export type TimerRequest =
  | ({ readonly do: "schedule" } & KernelRequests["schedule"])
  | { readonly do: "cancel"; readonly id: string }
/** An input for another stream; see `KernelRequests`. */
export type Send = KernelRequests["send"]
/** Anything that can be given to a machine: a `type` and plain data. */
export type Input = { readonly type: string } & Readonly<Record<string, unknown>>

/** What one accepted input brings about. Nothing of it has happened yet. */
export interface Step {
  /** Never there: it tells a step from a `Rejected`. */
  readonly rejected?: never
  /** The state afterwards. */
  readonly snapshot: Snapshot
  /** The input as its schema understood it. */
  readonly input: Input
  /** Name of the state before. */
  readonly from: string
  /** Name of the state afterwards. */
  readonly to: string
  /** An observation that this state has no transition for: recorded, changes nothing. */
  readonly ignored: boolean
  /** Effects asked for, in order. */
  readonly effects: readonly EffectRequest[]
  /** Timers armed and taken back, in order. */
  readonly timers: readonly TimerRequest[]
  /** Inputs for other streams, in order; at most 16. */
  readonly sends: readonly Send[]
}

/** Nothing was appended; the command's id can be used again. */
export interface Rejected {
  readonly rejected: true
  /**
   * Stable: the machine's own word, or `NOT_ACCEPTED`, `INPUT_UNKNOWN`, `INPUT_INVALID`, `EVENT_TOO_LARGE`,
   * `CONTEXT_TOO_LARGE`, `TOO_MANY_SENDS`.
   */
  readonly code: string
  /** Name of the machine. */
  readonly machine: string
  /** The state it was in, and is in still. */
  readonly state: string
  /** Type of the input. */
  readonly input: string
}

/**
 * Sizes in UTF-16 units of the JSON; a typed rejection before anything is appended. A command must leave
 * `reserveChars` of both free, so that the observations which follow from it always fit.
 */
export const limits = {
  eventChars: 8 * 1024,
  contextChars: 16 * 1024,
  reserveChars: 2 * 1024,
  sends: 16,
} as const

/** The state of a stream before its first input. */
export function initialSnapshot(definition: MachineDefinition): Snapshot {
  const [state] = initialTransition(definition.machine)
  return plain(state)
}

/** One input against one snapshot (null: the stream does not exist yet). */
export function step(
  definition: MachineDefinition,
  snapshot: Snapshot | null,
  raw: unknown,
): Step | Rejected {
  const before = snapshot ?? initialSnapshot(definition)
  const parsed = parseInput(definition, before, raw)
  if ("rejected" in parsed) return parsed
  const { input, kind } = parsed
  const reject = (code: string): Rejected => ({
    rejected: true,
    code,
    machine: definition.name,
    state: before.value,
    input: input.type,
  })
  const reserved = kind === "command" ? limits.reserveChars : 0
  if (JSON.stringify(input).length > limits.eventChars - reserved) return reject("EVENT_TOO_LARGE")

  const state = definition.machine.resolveState({ ...before, value: stateValue(before.value) })
  if (!state.can(input)) {
    if (kind === "command")
      return reject(definition.refuse(before.value, before.context, input) ?? "NOT_ACCEPTED")
    return { ...nothing, snapshot: before, input, from: before.value, to: before.value, ignored: true }
  }
  const [next, actions] = transition(definition.machine, state, input)
  const after = plain(next)
  if (JSON.stringify(after.context).length > limits.contextChars - reserved)
    return reject("CONTEXT_TOO_LARGE")
  definition.context.parse(after.context)
  const asked = sortRequests(definition, actions)
  if (asked.sends.length > limits.sends) return reject("TOO_MANY_SENDS")
  return { ...asked, snapshot: after, input, from: before.value, to: after.value, ignored: false }
}

/** Fold inputs into steps. A rejected input in a log is a contradiction, so it throws. */
export function replay(definition: MachineDefinition, inputs: Iterable<unknown>): Step[] {
  const steps: Step[] = []
  for (const input of inputs) {
    const result = step(definition, steps.at(-1)?.snapshot ?? null, input)
    if (result.rejected) throw new Error(`replay of ${definition.name}: ${result.input} was ${result.code}`)
    steps.push(result)
  }
  return steps
}

const nothing = { effects: [], timers: [], sends: [] } as const

function parseInput(
  definition: MachineDefinition,
  before: Snapshot,
  raw: unknown,
): { readonly input: Input; readonly kind: InputDefinition["kind"] } | Rejected {
  const type = typeof raw === "object" && raw !== null && "type" in raw ? String(raw.type) : "?"
  const refused = (code: string): Rejected => ({
    rejected: true,
    code,
    machine: definition.name,
    state: before.value,
    input: type,
  })
  const known = Object.hasOwn(definition.inputs, type) ? definition.inputs[type] : undefined
  if (known === undefined) return refused("INPUT_UNKNOWN")
  const { type: _type, ...data } = raw as Record<string, unknown>
  const parsed = known.schema.safeParse(data)
  if (!parsed.success) return refused("INPUT_INVALID")
  return { input: { type, ...parsed.data }, kind: known.kind }
}

/** Sort XState's returned actions into effect requests, timers and sends; refuse what the design forbids. */
function sortRequests(
  definition: MachineDefinition,
  actions: readonly { readonly type: string; readonly params?: unknown }[],
): Pick<Step, "effects" | "timers" | "sends"> {
  const effects: EffectRequest[] = []
  const timers: TimerRequest[] = []
  const sends: Send[] = []
  for (const action of actions) {
    if (action.type === "xstate.raise" && !isDelayed(action.params)) continue // processed in this macrostep
    if (action.type.startsWith("xstate."))
      throw new TypeError(`machine ${definition.name}: ${action.type} is listed, and nothing would run it`)
    // Params of kernel requests are typed where the machine is written (`requests`), and are data by then.
    if (action.type === "schedule")
      timers.push({ do: "schedule", ...(action.params as KernelRequests["schedule"]) })
    else if (action.type === "cancel")
      timers.push({ do: "cancel", ...(action.params as KernelRequests["cancel"]) })
    else if (action.type === "send") sends.push(action.params as Send)
    else effects.push(effectRequest(definition, action))
  }
  return { effects, timers, sends }
}

function isDelayed(params: unknown): boolean {
  return typeof params === "object" && params !== null && "delay" in params && params.delay !== undefined
}

function effectRequest(
  definition: MachineDefinition,
  action: { readonly type: string; readonly params?: unknown },
): EffectRequest {
  const known = definition.effects[action.type]
  if (known === undefined)
    throw new TypeError(`machine ${definition.name}: "${action.type}" is not in its effects`)
  return { kind: action.type, class: known.class, params: known.schema.parse(action.params) }
}

/** A flat machine's state is its name; a nested or parallel one is the JSON of its value. */
function stateValue(name: string): StateValue {
  return name.startsWith("{") ? (JSON.parse(name) as StateValue) : name
}

function plain(state: { value: unknown; context: unknown; status: string }): Snapshot {
  return {
    value: typeof state.value === "string" ? state.value : JSON.stringify(state.value),
    context: state.context as Snapshot["context"],
    status: state.status === "done" ? "done" : "active",
  }
}

/** A value that a machine's state always has; its absence is a defect of the machine's table. */
export function orThrow<T>(value: T | null | undefined): T {
  if (value === null || value === undefined)
    throw new TypeError("the state promises a value that is not there")
  return value
}
