/**
 * Equal data, one object. Every part is kept once, and a state is made of kept parts, so that a move costs what it
 * changed and not the size of the state. What was given in must never be changed in place.
 */
export function canonical(): <T extends object>(value: T) => T {
  const byText = new Map<string, object>()
  const numbers = new Map<object, number>()

  const one = (value: object): object => {
    if (numbers.has(value)) return value
    let text = Array.isArray(value) ? "[" : "{"
    const changed: Record<string, object> = {}
    let own = true
    const record = value as Readonly<Record<string, unknown>> // any object, read by its own keys
    for (const key of inOrder(Object.keys(value))) {
      const part = record[key]
      text += key
      if (typeof part === "object" && part !== null) {
        const kept = one(part)
        if (kept !== part) {
          changed[key] = kept
          own = false
        }
        text += `#${numbers.get(kept)},`
      } else if (typeof part === "string") text += `"${part.length}"${part}`
      else text += `:${String(part)},`
    }
    const known = byText.get(text)
    if (known !== undefined) return known
    const made = own ? value : Object.assign(Array.isArray(value) ? value.slice() : { ...value }, changed)
    byText.set(text, made)
    numbers.set(made, numbers.size)
    return made
  }
  // What comes back is equal to what went in, part by part.
  return <T extends object>(value: T) => one(value) as T
}

/** Records are mostly made in one order already. */
function inOrder(keys: string[]): string[] {
  for (let at = 1; at < keys.length; at += 1) if ((keys[at - 1] ?? "") > (keys[at] ?? "")) return keys.sort()
  return keys
}
