/**
 * The front door for programs that use Effect: a host as a service, opened with its layer and closed with the layer's
 * scope. It is the same host as `openHost` gives; here its verbs are only called in another way.
 */
import { Context, Effect, Layer } from "effect"
import type { EraseReport, SessionRow } from "../../../store/index.ts"
import { type CloseOptions, type LaunchOptions, type OpenHostOptions, openHost } from "../host.ts"
import { answer, type HoldfastError, wait } from "./errors.ts"
import { type HoldfastSession, sessionOf } from "./session.ts"
import { type HoldfastTurn, turnOf } from "./turn.ts"

/** How a layer's host is opened, and how it is closed again. */
export interface LayerOptions extends OpenHostOptions {
  /** When the scope ends, also by an interruption. Default: running turns are interrupted, for at most 15 s. */
  readonly close?: CloseOptions
}

/** The verbs of a host. `close` is not among them: the scope of the layer closes it. */
export interface HoldfastVerbs {
  /**
   * Registers a session; nothing is spawned until its first prompt. Fails with `AGENT_UNKNOWN`, `CWD_MISSING`,
   * `MODEL_INVALID`, `LIMIT_INVALID` or `SESSION_ID_INVALID`.
   */
  readonly launch: (options: LaunchOptions) => Effect.Effect<HoldfastSession, HoldfastError>
  /** A session by its id, e.g. after a restart. Fails with `SESSION_UNKNOWN`. */
  readonly session: (id: string) => Effect.Effect<HoldfastSession, HoldfastError>
  /** All sessions of the state folder, oldest first, whoever owns them. */
  readonly sessions: () => Effect.Effect<readonly SessionRow[], HoldfastError>
  /** A turn of any session by its id. Fails with `TURN_UNKNOWN`. */
  readonly turn: (id: string) => Effect.Effect<HoldfastTurn, HoldfastError>
  /**
   * Takes every text of a session away, as `Host.erase` does. Fails with `SESSION_BUSY` while a turn runs, or
   * `SESSION_ELSEWHERE` when another live host owns it.
   */
  readonly erase: (session: string) => Effect.Effect<EraseReport, HoldfastError>
}

/**
 * The service. `yield* Holdfast` in a program, and provide `Holdfast.layer(...)` once; every layer that is built is
 * a host of its own, so share it. Needs the same major version of `effect` as this package depends on.
 */
export class Holdfast extends Context.Service<Holdfast, HoldfastVerbs>()("holdfast/Holdfast") {
  /**
   * Opens a host, which takes over what a dead one left before it is there, and closes it when the scope ends.
   * Fails with `LIMIT_INVALID`, or a code that begins with `FOLDER_` or `STORE_` and says what is wrong with the state folder.
   */
  static readonly layer = (options: LayerOptions): Layer.Layer<Holdfast, HoldfastError> =>
    Layer.effect(Holdfast, opened(options))
}

const opened = Effect.fnUntraced(function* ({ close, ...options }: LayerOptions) {
  const host = yield* Effect.acquireRelease(
    wait(() => openHost(options)),
    it => Effect.promise(() => it.close(close)),
  )
  return Holdfast.of({
    launch: Effect.fn("Holdfast.launch")(function* (asked: LaunchOptions) {
      return sessionOf(yield* wait(() => host.launch(asked)))
    }),
    session: id => answer(() => sessionOf(host.session(id))),
    sessions: () => answer(() => host.sessions()),
    turn: id => answer(() => turnOf(host.turn(id))),
    erase: session => wait(() => host.erase(session)),
  })
})
