/** Limits of what the translator remembers of one run, whatever the agent prints (I16). Units end the names. */
export const limit = {
  /** 4 MiB, as UTF-16 code units. */
  replyChars: 4 * 1024 * 1024,
  /** Tool calls that are remembered; the oldest finished one goes first. */
  calls: 256,
  callKeyChars: 256,
  toolNameChars: 120,
  titleChars: 160,
  errorChars: 64 * 1024,
  modelChars: 200,
} as const
