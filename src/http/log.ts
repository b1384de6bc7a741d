import { InternalError } from '../core/errors.ts'

/** Takes one JSON line without its line feed. */
export type LogSink = (line: string) => void

/**
 * Logs a failure of ours as one JSON line. Texts of foreign errors stay out, for a driver may quote a value or an address in them;
 * their class, code and stack frames remain.
 */
export function logFailure(log: LogSink, error: unknown, requestId: string, query: string | undefined): void {
  const line = {
    time: new Date().toISOString(),
    level: 'error',
    request_id: requestId,
    query: query ?? null,
    causes: causesOf(error),
  }
  log(JSON.stringify(line))
}

const MAX_CAUSES = 5

function causesOf(error: unknown): Record<string, unknown>[] {
  const causes: Record<string, unknown>[] = []
  let current = error
  while (current instanceof Error && causes.length < MAX_CAUSES) {
    causes.push({
      name: current.name,
      ...('code' in current ? { code: String(current.code) } : {}),
      ...(current instanceof InternalError ? { message: current.message } : {}),
      frames: framesOf(current),
    })
    current = current.cause
  }
  return causes.length > 0 ? causes : [{ name: typeof error }]
}

// The lines of a stack after the message; the message itself may span several lines.
function framesOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim())
}
