import { type Clock, fixedClock, systemClock } from '../../core/clock.ts'
import type { Config } from './config.ts'

/** The clock of a configuration: the machine's, unless it stands still. */
export function clockOf({ clock }: Pick<Config, 'clock'>): Clock {
  return clock.now === undefined ? systemClock : fixedClock(clock.now)
}
