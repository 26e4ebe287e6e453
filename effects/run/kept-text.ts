/** A text on its way into the store: what the log names it by, and the text itself beside it. */
import type { TextReference } from "../../machines/words.ts"
import type { Reader } from "../../store/index.ts"
import type { Text } from "../../store/types.ts"

export function keptText(
  store: Reader,
  session: string,
  text: string | null,
): { readonly reference: TextReference | null; readonly text: readonly Text[] } {
  if (text === null || text === "") return { reference: null, text: [] }
  const bytes = Buffer.from(text, "utf8")
  const digest = store.keyedDigest(session, bytes)
  return { reference: { digest, bytes: bytes.length }, text: [{ session, digest, bytes }] }
}
