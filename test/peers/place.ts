/**
 * A place of its own for one test: a repository, a state folder, a model server on loopback, and hosts of the real
 * library that run the real codex. It answers for what every case answers for, and for the model's side of it.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import type { Host, RunLimits, Session, Turn, TurnResult } from "../../adapters/library/index.ts"
import { all, Place, type Seen, until } from "../cases/harness.ts"
import { binary, type Lead, ledTo } from "./codex.ts"
import type { Decision } from "./model/decision.ts"
import { Model } from "./model/server.ts"
import { refuseToRunOnline } from "./network.ts"
import { commandOf } from "./processes.ts"

beforeAll(refuseToRunOnline)

export const key = "a-key-that-must-not-be-seen"
type Taken = { readonly turn: Turn; readonly events: readonly Seen[]; readonly result: TurnResult }
type Way = Omit<Lead, "url"> & { readonly limits?: Partial<RunLimits> }

export class PeerPlace extends Place {
  readonly model: Model

  constructor(model: Model) {
    super()
    this.model = model
    this.texts.add(key)
    mkdirSync(this.at("tmp"))
    spawnSync("git", ["init", "--quiet", this.cwd], { stdio: "inherit", env: this.env })
  }

  override get env(): Readonly<Record<string, string>> {
    return { ...super.env, TMPDIR: this.at("tmp"), CODEX_API_KEY: key }
  }

  /** What the agent of this place takes from its hosts, besides what every agent does. */
  get passed(): readonly string[] {
    return Object.keys(super.env)
  }

  /** A new host whose only agent is codex. */
  host({ limits, ...way }: Way = {}): Promise<Host> {
    const agent = ledTo({ url: this.model.url, passEnvironment: this.passed, ...way })
    return this.open({ agents: [agent], ...(limits !== undefined && { limits }) })
  }

  /** A session of codex in the repository, in a new host. */
  async session(way: Way = {}): Promise<Session> {
    return (await this.host(way)).launch({ cwd: this.cwd })
  }

  /** One turn of a session, read to its end. */
  async say(session: Session, prompt: string): Promise<Taken> {
    const turn = this.send(session, prompt)
    return { turn, events: await all(turn), result: await this.result(turn) }
  }

  /** A model that decides this, a new session, one prompt. */
  async one(
    decisions: readonly Decision[],
    way: Way = {},
    prompt = "please do as you decided",
  ): Promise<Taken> {
    this.model.decides(...decisions)
    return this.say(await this.session(way), prompt)
  }

  /** Codex without Holdfast, on a conversation of this place: its exit code, once it has ended. */
  async codex(conversation: string, prompt: string): Promise<number | null> {
    const [run] = this.rollouts()
    if (run === undefined) throw new Error("there is no conversation")
    const request = { model: "gpt-5.5", cwd: this.cwd, resume: conversation, approveMcps: false }
    const adapter = ledTo({ url: this.model.url })
    const { args, env } = adapter.invocation(binary, { ...request, configDir: homeOf(run) }, this.env)
    const child = spawn(binary, args, {
      cwd: this.cwd,
      env: { ...this.env, ...env },
      stdio: ["pipe", "ignore", "ignore"],
    })
    child.stdin.end(prompt)
    await once(child, "exit")
    return child.exitCode
  }

  /** The files in which codex keeps the conversations of this place. */
  rollouts(): readonly string[] {
    const names = readdirSync(this.home, { recursive: true, encoding: "utf8" })
    return names.filter(name => /rollout-.*\.jsonl$/.test(name)).map(name => join(this.home, name))
  }

  /** How often a request of the model ended with this prompt as the latest word of the person. */
  heard(prompt: string): number {
    return this.model.asked.filter(({ said }) => said.findLast(({ by }) => by === "person")?.text === prompt)
      .length
  }

  /** The model has been asked as often. */
  asked(times: number): Promise<void> {
    return until(
      () => this.model.asked.length >= times,
      () => `the model was asked ${this.model.asked.length} times`,
    )
  }

  /** Live processes of this place whose command line begins so, without the program's folder. */
  running(command: string): readonly number[] {
    return this.alive().filter(pid => `${commandOf(pid)} `.startsWith(`${command} `))
  }

  /** The same, once there are as many. */
  async started(command: string, count: number): Promise<readonly number[]> {
    await until(
      () => this.running(command).length === count,
      () => `${count} of ${command} were never there`,
    )
    return this.running(command)
  }

  override async answer(): Promise<void> {
    await super.answer()
    expect(this.model.faults).toEqual([])
    expect(this.model.undecided).toBe(0)
    expect(new Set(this.model.asked.map(({ authorization }) => authorization))).toEqual(
      new Set(this.model.asked.length === 0 ? [] : [`Bearer ${key}`]),
    )
  }
}

/** The CODEX_HOME of a conversation: its file is in `sessions/<year>/<month>/<day>`. */
const homeOf = (rollout: string) => join(rollout, "..", "..", "..", "..", "..")

export const it = test.extend<{ place: PeerPlace }>({
  place: async ({ task }, use) => {
    await using model = await Model.open()
    const place = new PeerPlace(model)
    try {
      await use(place)
      // A test that failed has said so already.
      if (task.result?.state !== "fail") await place.answer()
    } finally {
      await place.clear()
    }
  },
})
