import { type Clock, fixedClock, systemClock } from '../../core/clock.ts'
import { guardedForTerminal } from '../../core/text.ts'
import { createLog, type Log, type LogSettings } from '../../facades/http/log.ts'
import type { Config } from './config.ts'

/** The clock of a configuration: the machine's, unless it stands still. */
export function clockOf({ clock }: Pick<Config, 'clock'>): Clock {
  return clock.now === undefined ? systemClock : fixedClock(clock.now)
}

/** Writes a line to standard error. */
export function toStderr(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? guardedForTerminal(line) : line}\n`)
}

/** How a configuration wants its log; text on a terminal unless it says otherwise. */
export function logSettings({ log }: Pick<Config, 'log'>): LogSettings {
  return { level: log.level, format: log.format ?? (process.stderr.isTTY ? 'text' : 'json') }
}

/** The log of a configuration, on standard error. */
export function logOf(config: Pick<Config, 'log'>): Log {
  return createLog(toStderr, logSettings(config))
}
