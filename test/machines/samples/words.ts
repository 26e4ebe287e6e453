/** Values that every machine's samples share. They are valid and small; nothing here may be random. */
export const digest = "a".repeat(64)

export const limits = {
  firstOutputMs: 1_000,
  idleMs: 2_000,
  toolIdleMs: 5_000,
  totalMs: 60_000,
  resultGraceMs: 10,
  signalGraceMs: 10,
  unattendedMs: 30_000,
  maxSpoolBytes: 1_000_000,
}

export const launch = { session: "s1", agent: "rehearsal", cwd: "/somewhere", model: "auto", limits }

export const failure = (kind: string, code = "SOME_CODE") => ({ kind, code, retryable: false })

export const verdict = {
  outcome: "succeeded",
  failure: null,
  degraded: null,
  emptyReply: false,
  conversation: "reusable",
  usage: null,
  deniedTools: 0,
  unknownLines: 0,
}
export const failedVerdict = (kind: string) => ({ ...verdict, outcome: "failed", failure: failure(kind) })

export const launcher = { pid: 7, start: "100", boot: "boot-1", namespace: "", host: "here" }
