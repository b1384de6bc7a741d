import type { Config } from './config.ts'
import { type Clock, fixedClock, systemClock } from './core/clock.ts'

/** The clock of a configuration: the machine's, unless it stands still. */
export function clockOf({ clock }: Pick<Config, 'clock'>): Clock {
  return clock.now === undefined ? systemClock : fixedClock(clock.now)
}
