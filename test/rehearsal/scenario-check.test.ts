/** What the gate lets through, and what it says otherwise. */
import { describe, expect, it } from "vitest"
import { checkScenario, findScenario, scenarioNames } from "../../adapters/rehearsal/index.ts"

const steps = (...list: readonly unknown[]) => ({ turns: [{ steps: list }] })

describe("checkScenario", () => {
  it.each([
    [null, "scenario: expected an object"],
    [{}, "scenario.turns: expected to be there"],
    [{ turns: 1 }, "scenario.turns: expected a list"],
    [{ turns: [], turn: [] }, "scenario.turn: expected one of the fields about, "],
    [
      { turns: [{ when: { turn: -1 }, steps: [] }] },
      "scenario.turns[0].when.turn: expected a whole number from 0",
    ],
    [steps({}), "scenario.turns[0].steps[0].do: expected a step (init, "],
    [steps({ do: "toString" }), "scenario.turns[0].steps[0].do: expected a step (init, "],
    [steps({ do: "wait" }), "scenario.turns[0].steps[0].ms: expected to be there"],
    [steps({ do: "text", pieces: [1] }), "scenario.turns[0].steps[0].pieces[0]: expected a string"],
    [steps({ do: "hang", ms: 1 }), "scenario.turns[0].steps[0].ms: expected one of the fields do"],
    [steps({ do: "signal", name: "KILL" }), 'steps[0].name: expected one of "SIGINT", '],
  ])("refuses %j", (value, message) => {
    expect(() => checkScenario(value)).toThrow(message)
  })

  it("lets every built-in scenario through, as the file it could be", () => {
    for (const name of scenarioNames) checkScenario(JSON.parse(JSON.stringify(findScenario(name))))
  })
})
