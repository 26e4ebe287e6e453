/**
 * The world taken away: while `fn` runs, everything that could tell one replay from another throws. Only for
 * synchronous code; what was there is put back whatever happens.
 */
const names = [
  "Date",
  "crypto",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "queueMicrotask",
  "fetch",
  "structuredClone",
] as const

/** Any use throws: called, constructed, or asked for a property. */
const forbidden = (name: string): unknown => {
  const refuse = (): never => {
    throw new Error(`a machine used ${name}`)
  }
  const target = function stub() {} // an arrow function could not be constructed
  return new Proxy(target, { apply: refuse, construct: refuse, get: refuse })
}

export function withoutWorld<T>(fn: () => T): T {
  const places: readonly (readonly [object, string])[] = [
    ...names.map(name => [globalThis, name] as const),
    [Math, "random"],
    [process, "nextTick"],
    [process, "hrtime"],
  ]
  const kept = places.map(
    ([owner, name]) => [owner, name, Object.getOwnPropertyDescriptor(owner, name)] as const,
  )
  try {
    for (const [owner, name] of places)
      Object.defineProperty(owner, name, { value: forbidden(name), configurable: true, writable: true })
    return fn()
  } finally {
    for (const [owner, name, descriptor] of kept)
      if (descriptor !== undefined) Object.defineProperty(owner, name, descriptor)
  }
}
