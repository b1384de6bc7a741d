import type { Output } from './io.ts'

/** Writes a line of the log of a service. */
type Write = (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) => void

/** The log of a service, in place of its text for people. */
export interface ServiceLog {
  readonly write: Write
  /** Logs an error that ends the start or the process, without the texts of drivers. */
  readonly failure: (error: unknown) => void
}

/** An output whose lines go to the log. */
export function linesTo(log: Write): Output {
  let begun = ''
  return {
    write(content) {
      const lines = (begun + String(content)).split('\n')
      begun = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') log('info', line)
    },
  }
}
