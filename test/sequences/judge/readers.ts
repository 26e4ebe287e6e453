/** I7: a listener that goes on by cursor, host after host, gets what one gets who reads it all in the end. */
import type { Evidence } from "../support/evidence.ts"

export function seamless({ heard, whole, broken }: Evidence): readonly string[] {
  const sessions = Object.entries(heard).flatMap(([session, events]) => {
    const expected = (whole[session] ?? []).map(event => JSON.stringify(event))
    const different = events.findIndex((event, index) => JSON.stringify(event) !== expected[index])
    const twice = new Set(whole[session]?.map(event => event.at)).size !== whole[session]?.length
    return [
      ...(twice ? [`${session} has two events under one cursor`] : []),
      ...(different === -1
        ? []
        : [
            `listening to ${session}, event ${different + 1} was ${JSON.stringify(events[different])} instead of ${expected[different]}`,
          ]),
    ]
  })
  return [...sessions, ...broken]
}
