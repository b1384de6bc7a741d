import { jsonOnTerminal } from '../../core/text.ts'

/** Receives one line without line feed. */
export type LogSink = (line: string) => void

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LEVELS)[number]

/** Level and format of the log. */
export interface LogSettings {
  /** Lowest level that is written. */
  readonly level: LogLevel
  /** `json`: one object per line. `text`: time, level, message and `name=value` pairs. */
  readonly format: 'json' | 'text'
}

/** Writes one line. Undefined fields are left out. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void

/** The log of the service. Fields contain no text of users or drivers, which may be secret or personal. */
export function createLog(sink: LogSink, { level: least, format }: LogSettings): Log {
  const render = format === 'json' ? jsonLine : textLine
  return (level, message, fields = {}) => {
    if (LEVELS.indexOf(level) >= LEVELS.indexOf(least)) sink(render(new Date().toISOString(), level, message, fields))
  }
}

type Render = (time: string, ...line: Required<Parameters<Log>>) => string

const jsonLine: Render = (time, level, message, fields) => JSON.stringify({ time, level, message, ...fields })

const textLine: Render = (time, level, message, fields) => {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined)
  return [time, level.toUpperCase().padEnd(5), message, ...pairs.map(([name, value]) => `${name}=${plain(value)}`)].join(' ')
}

function plain(value: unknown): string {
  return typeof value === 'string' && /^[\w./:*-]+$/.test(value) ? value : jsonOnTerminal(JSON.stringify(value))
}
