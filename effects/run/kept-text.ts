/** A text on its way into the store: what the log names it by, and the text itself beside it. */
import type { TextReference } from "../../machines/words.ts"
import { SessionErased } from "../../store/errors.ts"
import type { Reader } from "../../store/index.ts"
import type { Text } from "../../store/types.ts"

export function keptText(
  store: Reader,
  session: string,
  text: string | null,
): { readonly reference: TextReference | null; readonly text: readonly Text[] } {
  if (text === null || text === "") return { reference: null, text: [] }
  const bytes = Buffer.from(text, "utf8")
  const digest = digestOf(store, session, bytes)
  if (digest === null) return { reference: null, text: [] }
  return { reference: { digest, bytes: bytes.length }, text: [{ session, digest, bytes }] }
}

/** Null: the session was erased, and keeps no text any more. */
function digestOf(store: Reader, session: string, bytes: Uint8Array): string | null {
  try {
    return store.keyedDigest(session, bytes)
  } catch (error) {
    if (error instanceof SessionErased) return null
    throw error
  }
}
