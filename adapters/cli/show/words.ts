/** What codes mean, in plain words with the next step. Sentences only. */
import type { Failure, FailureKind, NoticeCode, TurnOutcome } from "../../../machines/words.ts"

export const outcomeWords: Record<TurnOutcome, string> = {
  succeeded: "Succeeded",
  failed: "Failed",
  interrupted: "Interrupted",
  outcomeUnknown: "Nobody knows how it ended",
}

/** For a turn that settled long ago too. */
export const settledWords: Record<TurnOutcome, string> = {
  succeeded: "succeeded",
  failed: "failed",
  interrupted: "interrupted",
  outcomeUnknown: "ended, and nobody knows how",
}

export const unknownOutcome = "The agent may have done some of the work or all of it: look at the worktree."
export const unknownStops = "The session starts nothing until `holdfast send --resume`."

export const emptyReply = "The agent had nothing to say."

const failureWords: Record<FailureKind, string> = {
  auth: "The agent was not let in. Log in, or set its key.",
  config: "The agent refuses this request as it is. Check the model, the folder and the agent's settings.",
  binary: "The agent's program is missing or does not run. Install it, or name it with --bin.",
  rateLimited: "The service asks to wait. The same again will work later.",
  quota: "The account has used up what it had. Wait for its reset, or use another plan or model.",
  overloaded: "The service has no capacity. Try again later, or another model.",
  modelUnavailable: "This model cannot be had. Name another one with --model.",
  network: "The service could not be reached. Check the connection and the proxy.",
  transient: "Nothing was done. The same again may work.",
  resumeLost: "The agent no longer has this conversation. Start a new session.",
  busy: "Another process holds this conversation. End it, then try again.",
  context: "The conversation or the prompt is too long for the model. Start a new session, or say less.",
  timedOut: "It took longer than its limit. Raise --idle or --timeout, or ask for less.",
  noOutput: "The agent ended without an answer.",
  agent: "The agent reported an error of its own.",
  crashed: "The agent ended without saying how.",
  limit: "The agent printed more than is allowed.",
  host: "Our side could not do its part.",
}

/** Where it was us who ended the agent, how its process ended explains nothing. */
const ourWords: Readonly<Record<string, string>> = {
  FIRST_OUTPUT_TIMEOUT:
    "The agent had said nothing when its time for a first word was over, and was ended. `holdfast run --first-output` gives it longer.",
  IDLE_TIMEOUT: "The agent fell silent for too long, and was ended. `holdfast run --idle` gives it longer.",
  TOTAL_TIMEOUT:
    "The turn took longer than its limit, and was ended. `holdfast run --timeout` gives it longer.",
  UNATTENDED: "The agent was ended, because no host lived for too long. Send the prompt again.",
  SPOOL_LIMIT: "The agent printed more than is allowed, and was ended.",
}

/** The agent's own words for it, where there are any and they tell the reason. */
export function failureSentence({ kind, code }: Failure, explanation: string | null): string {
  return `${ourWords[code] ?? explanation ?? failureWords[kind]} (${code})`
}

export const degradedSentence = (kind: FailureKind): string =>
  `The answer is whole, but an error came along with it (${kind}).`

const noticeWords: Record<NoticeCode, string> = {
  lineTooLong: "The agent printed a line that was too long; it was left out.",
  spoolTruncated: "The agent's output was cut by a script of its own; some of it may be missing.",
  spoolExpired: "What the agent streamed is no longer kept; only the final reply is.",
  unknownLines: "The agent printed lines that this version does not know.",
  notJson: "The agent printed lines that are no events.",
  agentReconnecting: "The agent lost its connection and takes it up again.",
  agentRetrying: "The agent tries its last step again.",
  resumeLost: "The agent's conversation was gone.",
  historyLost: "The agent's conversation was gone; it started afresh and remembers nothing from before.",
  processLeft: "A process of the agent could not be ended.",
  replyTruncated: "The reply was too long to be kept whole.",
  toolsDenied: "Some tools were refused to the agent.",
  agentWarning: "The agent warned of something that does not stop it; its own log says what.",
  backgroundWorkStopped: "Work that the agent had in the background was ended.",
}

export const noticeSentence = (code: NoticeCode, count: number): string =>
  count > 1 ? `${noticeWords[code]} (${count} times)` : noticeWords[code]
