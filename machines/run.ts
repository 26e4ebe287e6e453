/**
 * A run: one live execution of a turn by one process, from the request to the moment that everything it
 * started is dead. It decides when to start, what a found run folder means, when silence is too long, and how
 * the run ended. It knows no agent by name: what its lines mean arrives as observations.
 */
import { assign, setup } from "xstate"
import { type FoundRow, rowOf } from "./folder-table.ts"
import { defineMachine, requests } from "./kernel.ts"
import {
  because,
  becauseFound,
  claimTimer,
  closeCall,
  conclude,
  describe,
  elsewhereTimer,
  end,
  ending,
  failToLaunch,
  firstOutputTimer,
  identify,
  idleTimer,
  itself,
  meet,
  openCall,
  overReasons,
  patienceMs,
  probeFor,
  quietTimer,
  refuse,
  rememberBoot,
  speak,
  totalTimer,
} from "./run-answers.ts"
import { type Context, context, effects, type Inputs, inputs, maxOpenTools, watchdog } from "./run-inputs.ts"
import { reportActive, reportBlocked, reportClosed, reportIdentified, reportKnown } from "./run-reports.ts"

const machine = setup({
  types: {} as { context: Context; events: Inputs },
  actions: requests(effects),
  guards: {
    row: ({ event }, row: FoundRow) => event.type === "found" && rowOf(event) === row,
    over: ({ event }) => event.type === "found" && overReasons[rowOf(event)] !== undefined,
    noFirstOutput: ({ event }) =>
      event.type === "probed" && event.timer === "firstOutput" && event.bytes === 0,
    outOfTime: ({ event }) => event.type === "probed" && event.timer === "total",
    silentTooLong: ({ context, event }) => event.type === "probed" && event.silentMs >= patienceMs(context),
    ofWatchdog: ({ event }) => event.type === "timer" && watchdog.safeParse(event.id).success,
    ofTimer: ({ event }, id: string) => event.type === "timer" && event.id === id,
    room: ({ context }) => context.openTools.length < maxOpenTools,
    open: ({ context }) => context.conclusion === null,
    askedBefore: ({ context }) => context.boot !== null,
    otherBoot: ({ context, event }) =>
      event.type === "prepared" && context.boot !== null && context.boot !== event.boot,
    undecided: ({ context }) => context.reason === "notDelivered",
    startedAfterAll: ({ context, event }) =>
      event.type === "found" &&
      context.reason === "neverStarted" &&
      !["neverStarted", "adopt"].includes(rowOf(event)),
  },
}).createMachine({
  id: "run",
  context: {
    about: null,
    boot: null,
    launcher: null,
    conversation: null,
    cursor: 0,
    openTools: [],
    emitted: false,
    reason: null,
    failure: null,
    explanation: null,
    conclusion: null,
    left: [],
  },
  initial: "absent",
  states: {
    absent: {
      on: {
        requested: { target: "preparing", actions: assign(describe) },
      },
    },
    preparing: {
      entry: { type: "prepare", params: itself },
      on: {
        prepared: [
          {
            // A launcher was asked for before the power went, so a claim may have been lost with it.
            guard: "otherBoot",
            target: "closing",
            actions: [assign(because("notDelivered")), { type: "end", params: ending("sweep") }],
          },
          {
            target: "spawning",
            actions: [assign(rememberBoot), { type: "launch", params: itself }],
          },
        ],
        blocked: { target: "blocked", actions: { type: "send", params: reportBlocked } },
        refused: [
          // A launcher that was asked for earlier may be about to claim, or its claim was lost with the power.
          { guard: "askedBefore", target: "tombstoning", actions: assign(because("notDelivered")) },
          { target: "closed", actions: assign(refuse) },
        ],
        interrupt: { target: "tombstoning", actions: assign(because("abort")) },
      },
    },
    blocked: {
      on: {
        retry: { target: "preparing" },
        interrupt: { target: "tombstoning", actions: assign(because("abort")) },
      },
    },
    spawning: {
      entry: { type: "schedule", params: claimTimer },
      exit: { type: "cancel", params: { id: "claim" } },
      on: {
        timer: {
          guard: { type: "ofTimer", params: "claim" },
          target: "tombstoning",
          actions: assign(because("firstOutputTimeout")),
        },
        launchFailed: { target: "closed", actions: assign(failToLaunch) },
        blocked: { target: "blocked", actions: { type: "send", params: reportBlocked } },
        interrupt: { target: "tombstoning", actions: assign(because("abort")) },
        found: [
          {
            // Its time begins anew: while no host lived there was nobody to start a launcher.
            guard: { type: "row", params: "notDelivered" },
            actions: [
              { type: "schedule", params: claimTimer },
              { type: "launch", params: itself },
            ],
          },
          {
            // The claim may be lost and the spool not: a terminal line in it still settles the turn.
            guard: { type: "row", params: "claimLostWithPower" },
            target: "closing",
            actions: [assign(because("notDelivered")), { type: "end", params: ending("sweep") }],
          },
          {
            // Nobody decided it in the log, so a launch had failed: an abort would have left this state first.
            guard: { type: "row", params: "tombstone" },
            target: "closed",
            actions: assign(because("neverStarted")),
          },
          {
            guard: { type: "row", params: "adopt" },
            target: "active",
            actions: [assign(meet), { type: "send", params: reportActive }],
          },
          {
            guard: { type: "row", params: "elsewhere" },
            target: "active",
            actions: [
              assign(meet),
              { type: "send", params: reportActive },
              { type: "schedule", params: elsewhereTimer },
            ],
          },
          {
            guard: "over",
            target: "closing",
            actions: [assign(becauseFound), { type: "end", params: ending("sweep") }],
          },
        ],
      },
    },
    active: {
      entry: [
        { type: "schedule", params: firstOutputTimer },
        { type: "schedule", params: totalTimer },
      ],
      on: {
        identified: { actions: [assign(identify), { type: "send", params: reportIdentified }] },
        spoke: { actions: [assign(speak), { type: "schedule", params: quietTimer }] },
        toolStarted: [{ guard: "room", actions: assign(openCall) }, { actions: assign(speak) }],
        toolCompleted: { actions: assign(closeCall) },
        noticed: { actions: assign({ cursor: ({ event }) => event.cursor }) },
        resultSeen: {
          target: "closing",
          actions: [
            assign(conclude),
            { type: "send", params: reportKnown },
            { type: "end", params: ending("afterResult") },
          ],
        },
        interrupt: {
          target: "closing",
          actions: [assign(because("abort")), { type: "end", params: ending("interrupt") }],
        },
        timer: [
          { guard: "ofWatchdog", actions: { type: "probe", params: probeFor } },
          {
            guard: { type: "ofTimer", params: "elsewhere" },
            target: "closing",
            actions: [assign(because("elsewhere")), { type: "end", params: ending("sweep") }],
          },
        ],
        probed: [
          {
            guard: "noFirstOutput",
            target: "closing",
            actions: [assign(because("firstOutputTimeout")), { type: "end", params: ending("interrupt") }],
          },
          {
            guard: "outOfTime",
            target: "closing",
            actions: [assign(because("totalTimeout")), { type: "end", params: ending("interrupt") }],
          },
          {
            guard: "silentTooLong",
            target: "closing",
            actions: [assign(because("idleTimeout")), { type: "end", params: ending("interrupt") }],
          },
          { actions: { type: "schedule", params: idleTimer } },
        ],
        found: [
          {
            guard: { type: "row", params: "adopt" },
            actions: [assign(meet), { type: "cancel", params: { id: "elsewhere" } }],
          },
          {
            guard: { type: "row", params: "elsewhere" },
            actions: { type: "schedule", params: elsewhereTimer },
          },
          // Also without a claim, which a run that was claimed can only lose with its folder.
          {
            target: "closing",
            actions: [assign(becauseFound), { type: "end", params: ending("sweep") }],
          },
        ],
      },
    },
    tombstoning: {
      entry: { type: "tombstone", params: itself },
      on: {
        tombstoned: [
          {
            guard: "undecided",
            target: "closing",
            actions: { type: "end", params: ending("sweep") },
          },
          { target: "closed" },
        ],
        // A claim that was lost with the power left its spool behind.
        resultSeen: {
          target: "closing",
          actions: [
            assign(conclude),
            { type: "send", params: reportKnown },
            { type: "end", params: ending("sweep") },
          ],
        },
        claimLost: {
          target: "closing",
          actions: [assign(meet), { type: "end", params: ending("interrupt") }],
        },
      },
    },
    closing: {
      entry: [
        { type: "cancel", params: { id: "firstOutput" } },
        { type: "cancel", params: { id: "idle" } },
        { type: "cancel", params: { id: "total" } },
        { type: "cancel", params: { id: "elsewhere" } },
      ],
      on: {
        identified: { actions: [assign(identify), { type: "send", params: reportIdentified }] },
        noticed: { actions: assign({ cursor: ({ event }) => event.cursor }) },
        resultSeen: { guard: "open", actions: assign(conclude) },
        // The shell that becomes the agent outlives a killed launcher, and may have gone on until it was ended.
        found: { guard: "startedAfterAll", actions: assign(becauseFound) },
        ended: { target: "closed", actions: assign(end) },
      },
    },
    closed: {
      type: "final",
      entry: { type: "send", params: reportClosed },
    },
  },
})

/** The machine of a run: one process of an agent, from the request to its end. */
export const run = defineMachine({ name: "run", version: 1, inputs, effects, context, machine })
