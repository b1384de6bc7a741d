/** Source of "now" (D2): the start of a second in UTC, which represents the whole second. */
export interface Clock {
  now(): Date
}

/** The system clock. */
export const systemClock: Clock = { now: () => cutToSecond(new Date()) }

/** A clock with a fixed time, for demos and tests. */
export function fixedClock(instant: Date): Clock {
  const frozen = cutToSecond(instant).getTime()
  return { now: () => new Date(frozen) }
}

function cutToSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}
