/** Waiting for facts, never for time: it asks again until the answer is there, and the test's own limit bounds it. */
const mostMs = 60_000

export async function until<A>(
  what: string,
  ask: () => A | Promise<A>,
): Promise<Exclude<A, null | undefined | false>> {
  const end = performance.now() + mostMs
  for (;;) {
    const answer = await ask()
    // The three that mean "not yet" are excluded by the line itself.
    if (answer !== null && answer !== undefined && answer !== false)
      return answer as Exclude<A, null | undefined | false>
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
