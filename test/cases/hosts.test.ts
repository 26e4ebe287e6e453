/** Two hosts in two processes on one state folder: the second asks, the first does, and nothing is done twice. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect } from "vitest"
import type { Scenario } from "../../adapters/rehearsal/index.ts"
import { all, isAlive, it, ofType, type Place, refusal, streamed, until } from "./harness.ts"
import { startHost } from "./host-orders.ts"

const session = "shared-session"
const gated: Scenario = {
  turns: [
    {
      steps: [
        { do: "init" },
        { do: "text", text: "Working. " },
        { do: "waitForFile", path: "$CWD/holdfast-go" },
        { do: "text", text: "Turn $TURN." },
        { do: "result" },
      ],
    },
  ],
}

/** A host in another process, in the middle of a turn of the shared session. */
async function busyOwner(place: Place) {
  const owner = startHost(place, gated, { cwd: place.cwd, session, prompts: ["the owner's own prompt"] })
  const [accepted] = await owner.said("accepted")
  await until(() => place.noted("waiting").length > 0)
  // Also in the log: from here on the owner has nothing to write until somebody acts.
  await until(() => place.log().some(event => event.type === "spoke"))
  return { owner, turn: accepted?.turn ?? "" }
}

const go = (place: Place) => writeFileSync(join(place.cwd, "holdfast-go"), "")
/** Commands that the owner has not answered. */
const waiting = (place: Place) => {
  const db = new Database(join(place.home, "log.sqlite"), { readonly: true })
  try {
    return db.prepare("SELECT count(*) FROM inbox").pluck().get()
  } finally {
    db.close()
  }
}
const claims = (place: Place) => place.read(reader => reader.ownerOf(session))

describe("two hosts", () => {
  it("a second host's prompt goes through the owner's inbox, waits its turn there, and is answered", async ({
    place,
  }) => {
    const { owner, turn: first } = await busyOwner(place)
    const owned = claims(place)
    const second = await place.open({ scenario: gated })
    const turn = place.send(second.session(session), "from the second host", "order-7")
    await turn.accepted
    expect(second.session(session).status()).toMatchObject({ currentTurn: first, queued: 1 })
    expect(place.noted("started")).toHaveLength(1)
    go(place)
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "Working. Turn 2." })
    expect(place.noted("started")).toHaveLength(2)
    expect(claims(place)).toEqual(owned)
    // Said again, it is still the one turn; with other words it is a conflict there as here.
    const again = place.send(second.session(session), "from the second host", "order-7")
    expect(await place.result(again)).toEqual(await place.result(turn))
    expect(
      await refusal(() => place.send(second.session(session), "with other words", "order-7")),
    ).toMatchObject({
      code: "COMMAND_CONFLICT",
    })
    expect(place.noted("started")).toHaveLength(2)
    await owner.close()
  })

  it("a second host's interrupt ends the owner's run, and its reader sees all of it", async ({ place }) => {
    const { owner, turn: id } = await busyOwner(place)
    const second = await place.open({ scenario: gated })
    const turn = second.turn(id)
    const reading = all(turn)
    await turn.interrupt()
    expect(isAlive(place.noted("started")[0]?.pid ?? 0)).toBe(false)
    const events = await reading
    expect(streamed(events)).toBe("Working. ")
    expect(ofType(events, "turn.settled")).toMatchObject([{ outcome: "interrupted" }])
    expect(await owner.said("settled")).toMatchObject([{ outcome: "interrupted" }])
    await owner.close()
  })

  it("I8 a prompt that is withdrawn before its owner has looked at it is never delivered", async ({
    place,
  }) => {
    const { owner, turn: first } = await busyOwner(place)
    const second = await place.open({ scenario: gated })
    process.kill(owner.pid, "SIGSTOP")
    const turn = place.send(second.session(session), "never mind")
    const withdrawn = turn.interrupt()
    await until(() => waiting(place) === 2)
    process.kill(owner.pid, "SIGCONT")
    await withdrawn
    expect((await place.result(turn)).outcome).toBe("interrupted")
    go(place)
    await until(() => place.log().some(event => event.stream === `turn:${first}` && event.to === "succeeded"))
    expect(place.noted("started")).toHaveLength(1)
    await owner.close()
  })

  it("what the owner refuses, the second host is told with the owner's code", async ({ place }) => {
    const { owner } = await busyOwner(place)
    const second = await place.open({ scenario: gated })
    expect(await refusal(() => second.session(session).interrupt("no-such-turn"))).toMatchObject({
      code: "TURN_NOT_RUNNING",
    })
    go(place)
    await owner.said("settled")
    await owner.close()
  })

  it("a second host that opens, reads and closes changes nothing of the first one's", async ({ place }) => {
    const { owner } = await busyOwner(place)
    const [before, owned] = [place.log().length, claims(place)]
    const second = await place.open({ scenario: gated })
    expect(second.sessions()).toMatchObject([{ session, state: "busy" }])
    await second.close()
    expect(place.log()).toHaveLength(before)
    expect(claims(place)).toEqual(owned)
    go(place)
    expect(await owner.said("settled")).toMatchObject([{ outcome: "succeeded" }])
    await owner.close()
  })

  it("when the owner is killed, the second host's next command takes the session over, run included", async ({
    place,
  }) => {
    const { owner, turn: id } = await busyOwner(place)
    const second = await place.open({ scenario: gated })
    await owner.kill()
    const turn = place.send(second.session(session), "from the one who is left")
    await turn.accepted
    expect(claims(place)?.epoch).toBe(2)
    go(place)
    expect(await place.result(second.turn(id))).toMatchObject({
      outcome: "succeeded",
      text: "Working. Turn 1.",
    })
    expect(await place.result(turn)).toMatchObject({ outcome: "succeeded", text: "Working. Turn 2." })
    expect(place.noted("started")).toHaveLength(2)
  })
})
