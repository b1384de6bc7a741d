import { AppError, ConfigurationError, type ErrorCode, InternalError } from '../../core/errors.ts'
import type { Log } from './log.ts'

/** Logs a failure of ours. Texts of foreign errors stay out; their class, code and stack frames remain. */
export function logFailure(log: Log, error: unknown, requestId: string, query: string | undefined): void {
  log('error', 'failure', { request_id: requestId, query, causes: failureCauses(error) })
}

/** Codes of a database that cannot be asked, or is none of ours. Their texts are ours, without anything that a user or a driver wrote. */
const STATES: readonly ErrorCode[] = ['connector_unavailable', 'unsupported_by_connector', 'query_timeout', 'overloaded']

/** Logs a failure of what nobody asked for, such as the filling of the cache: the state of a database in a sentence, all else as ours. */
export function logBackgroundFailure(log: Log, error: unknown, part: string): void {
  const told = stateIn(error)
  if (told === undefined) logFailure(log, error, part, undefined)
  else log('error', `${part}: ${told}`)
}

function stateIn(error: unknown): string | undefined {
  if (error instanceof ConfigurationError) return error.problems.join('; ')
  return error instanceof AppError && STATES.includes(error.code) ? error.operatorDetail : undefined
}

/** An error as a log may show it. */
interface FailureCause {
  readonly name: string
  /** The driver's or the system's code. */
  readonly code?: string
  /** The family of error that a driver without codes puts before its text, such as `Conversion Error`. */
  readonly kind?: string
  /** The message; only errors that the product raises itself have it. */
  readonly message?: string
  /** What else a driver tells that is no value: names of tables and constraints, the server's own routine. */
  readonly facts?: Readonly<Record<string, string | number>>
  readonly frames: readonly string[]
}

const MOST_CAUSES = 5
const MOST_FRAMES = 12

// Fields of pg, mysql2 and Node. Not among them: message, detail, hint, where, internalQuery, parameters, sql, sqlMessage, address.
const FACTS = [
  'severity',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'position',
  'routine',
  'errno',
  'sqlState',
  'syscall',
]
const PLAIN = /^[\w .$-]{1,128}$/

/**
 * An error and its causes without the texts of foreign ones: a driver quotes the value at fault, the statement with its values, or an
 * address with its password.
 */
function failureCauses(error: unknown): readonly FailureCause[] {
  const causes: FailureCause[] = []
  let current = error
  while (current instanceof Error && causes.length < MOST_CAUSES) {
    causes.push(causeOf(current))
    current = current.cause
  }
  return causes.length > 0 ? causes : [{ name: typeof error, frames: [] }]
}

function causeOf(error: Error): FailureCause {
  const fields: Readonly<Record<string, unknown>> = { ...error }
  const facts = FACTS.flatMap((name) => factOf(name, fields[name]))
  const kind = /^[A-Za-z][A-Za-z ]{0,40} (?:Error|Exception)(?=: )/.exec(error.message)?.[0]
  return {
    name: error.name,
    ...('code' in error && PLAIN.test(String(error.code)) ? { code: String(error.code) } : {}),
    ...(error instanceof InternalError ? { message: error.message } : kind === undefined ? {} : { kind }),
    ...(facts.length === 0 ? {} : { facts: Object.fromEntries(facts) }),
    frames: framesOf(error),
  }
}

function factOf(name: string, value: unknown): readonly (readonly [string, string | number])[] {
  if (typeof value === 'number') return [[name, value]]
  return typeof value === 'string' && PLAIN.test(value) ? [[name, value]] : []
}

// Only lines that name a place in a file count as frames: the stack begins with the message, whose lines may look like frames.
function framesOf(error: Error): readonly string[] {
  return (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at .*(?:node:|file:|\/)\S*:\d+:\d+\)?$/.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.trim())
}
