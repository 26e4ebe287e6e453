/** Field cases ST, bytes: how long, how broken up and between what noise the lines come. */
import {
  delta,
  emit,
  ended,
  good,
  initEvent,
  opening,
  resultEvent,
  type Scenarios,
  says,
  turn,
} from "./parts.ts"

const everyWidth = "a é 漢 😀 👩‍💻 한국어 ñ ￼ end"
const noise = "A new version is available. Run `agent update`.\n\nUsing worktree: /tmp/worktrees/x\n"

export const bytes: Scenarios = {
  "st-03": {
    about: "Characters of one to four bytes, every line written byte by byte.",
    expect: ended,
    framing: { splitBytes: 1 },
    turns: turn({ do: "init" }, { do: "text", text: everyWidth, chunks: 4 }, { do: "result" }),
  },
  "st-03-no-newline": {
    expect: ended,
    framing: { splitBytes: 1, finalNewline: false },
    turns: turn(
      { do: "init" },
      { do: "stderr", text: "warning: ünïcode 漢😀\n" },
      { do: "text", text: everyWidth },
      { do: "result" },
    ),
  },
  "st-04": {
    about: "The replacement character, written on purpose.",
    expect: ended,
    turns: good(says("a \ufffd b")),
  },
  "st-05": {
    about: "One line of about 8 MiB, small ones after it.",
    expect: ended,
    turns: good(
      {
        do: "tool",
        kind: "edit",
        args: { path: "big.txt" },
        value: {
          path: "big.txt",
          linesAdded: 1,
          linesRemoved: 1,
          diffString: "",
          beforeFullFileContent: "$FILL:4194304",
          afterFullFileContent: "$FILL:4194304",
        },
      },
      says("Still here."),
    ),
  },
  "st-06": {
    about: "64 MiB without a newline, and nothing after it.",
    expect: { exit: 0, result: false },
    turns: turn(...opening, { do: "flood", bytes: 64 * 1024 * 1024 }),
  },
  "st-06-line": {
    about: "A junk line of 17 MiB, then a good result.",
    expect: ended,
    turns: good({ do: "flood", bytes: 17 * 1024 * 1024, newline: true }, says("Still here.")),
  },
  "st-06-stderr": {
    about: "A stderr that never ends.",
    expect: { hangs: true, result: false },
    turns: turn(...opening, { do: "stderr", text: "warning: $FILL:4000\n", endless: true }),
  },
  "st-13": {
    about: "Escape sequences before, between and instead of JSON.",
    expect: ended,
    turns: turn(
      { do: "emit", event: initEvent, prefix: "\x1b[?2004h\x1b]0;agent\x07" },
      { do: "user" },
      { do: "raw", utf8: "\x1b[?25l\x1b[2K\n" },
      { do: "stderr", text: "\x1b[31mwarning:\x1b[39m something red\n" },
      { do: "emit", event: delta("Hello."), prefix: "\x1b[0m" },
      { do: "emit", event: resultEvent("Hello."), suffix: "\x1b[0m\n" },
    ),
  },
  "st-14": {
    about: "Notices around the stream.",
    expect: ended,
    turns: turn(
      { do: "raw", utf8: noise },
      ...opening,
      says("Hello."),
      { do: "result" },
      { do: "raw", utf8: noise },
    ),
  },
  "st-14-two-on-a-line": {
    about: "Two objects on one line.",
    expect: ended,
    turns: good(
      {
        do: "emit",
        event: { type: "retry", subtype: "starting", session_id: "$SESSION", attempt: 1, is_resume: true },
        suffix: " ",
      },
      emit({ type: "retry", subtype: "resuming", attempt: 1, checkpoint_turn_count: 2 }),
      says("Hello."),
    ),
  },
  "st-19": {
    about: "stderr mirrors stdout.",
    expect: ended,
    framing: { to: "both" },
    turns: good(says("Once.")),
  },
  "st-19-stderr-only": {
    expect: { exit: 0, result: false },
    framing: { to: "stderr" },
    turns: good(says("On the wrong side.")),
  },
  "st-20": {
    about: "Byte order mark, CRLF, blank lines, and no newline at the end.",
    expect: ended,
    framing: { lineEnd: "\r\n", byteOrderMark: true, finalNewline: false },
    turns: turn({ do: "init" }, { do: "raw", utf8: "\r\n\r\n" }, { do: "user" }, says("Hello."), {
      do: "result",
    }),
  },
}
