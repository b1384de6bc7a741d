/** Source of "now" (D2): the beginning of a second in UTC, which stands for the whole of it. */
export interface Clock {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => cutToSecond(new Date()) }

/** A clock that stands still, for demos and tests. */
export function fixedClock(instant: Date): Clock {
  const frozen = cutToSecond(instant).getTime()
  return { now: () => new Date(frozen) }
}

function cutToSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}
