/** What may be on an agent's command line, which everybody on the machine can read: ids of models and conversations. */
import { conversationId } from "../../../machines/words.ts"
import { refuse } from "./refusal.ts"

const maxModelLength = 128

/** White space and control characters: nothing that we put on a command line may hold one. */
const unprintable = /[\s\p{Cc}\p{Cf}\p{Cs}]/u

/** Throws `MODEL_INVALID`: a leading `-` would be read as a flag, white space as two words by a shim. */
export function checkModel(model: string): string {
  if (model === "" || model.length > maxModelLength || model.startsWith("-") || unprintable.test(model)) {
    throw refuse(
      "MODEL_INVALID",
      `A model id is 1 to ${maxModelLength} printable characters without white space, and does not start with "-"; use "auto" or an id that the agent lists.`,
    )
  }
  return model
}

/** An id that can be handed to `--resume`. Others are not stored in the first place. */
export function isConversationId(id: string): boolean {
  return conversationId.safeParse(id).success && !id.startsWith("-") && !unprintable.test(id)
}

/** Throws `CONVERSATION_ID_INVALID`. */
export function checkConversation(id: string): string {
  if (isConversationId(id)) return id
  throw refuse(
    "CONVERSATION_ID_INVALID",
    'The stored conversation id is empty, starts with "-" or holds white space; start without resuming.',
  )
}
