import { type Clock, fixedClock, systemClock } from '../../core/clock.ts'
import { guardedForTerminal } from '../../core/text.ts'
import { createLog, type Log, type LogSettings } from '../../facades/http/log.ts'
import type { Config } from './config.ts'

/** The clock of a configuration: the machine's clock, or a fixed instant. */
export function clockOf({ clock }: Pick<Config, 'clock'>): Clock {
  return clock.now === undefined ? systemClock : fixedClock(clock.now)
}

/** Writes a line to standard error. */
export function toStderr(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? guardedForTerminal(line) : line}\n`)
}

/** The log settings of a configuration. The default format is text on a terminal, else JSON. */
export function logSettings({ log }: Pick<Config, 'log'>): LogSettings {
  return { level: log.level, format: log.format ?? (process.stderr.isTTY ? 'text' : 'json') }
}

/** The log of a configuration, on standard error. */
export function logOf(config: Pick<Config, 'log'>): Log {
  return createLog(toStderr, logSettings(config))
}
