import { performance } from 'node:perf_hooks'
import { AppError, ConfigurationError, type ErrorCode, InternalError, Shortage } from '../../core/errors.ts'
import type { Log } from './log.ts'

/** Logs an internal failure. Messages of foreign errors are left out. Their class, code and stack frames are logged. */
export function logFailure(log: Log, error: unknown, requestId: string, query: string | undefined): void {
  log('error', 'failure', { request_id: requestId, query, causes: failureCauses(error) })
}

/** Codes of a database that is unavailable or unsupported. Their messages contain no text of a user or a driver. */
const STATES: readonly ErrorCode[] = ['connector_unavailable', 'unsupported_by_connector', 'query_timeout', 'overloaded']

/**
 * Logs a failure of background work, such as filling the cache. If a database is unavailable, or the disk or the memory is too small, it
 * logs a sentence. Any other error is logged as an internal failure.
 */
export function logBackgroundFailure(log: Log, error: unknown, part: string): void {
  const state = stateIn(error)
  if (state === undefined) logFailure(log, error, part, undefined)
  else log('error', `${part}: ${state}`)
}

/** A state that nothing has met for this time has ended, milliseconds. */
const STATE_MS = 60_000
const MOST_STATES = 100

/** Logs the cause of a refusal. The fields say which request met it. */
export type StateLog = (error: unknown, fields?: Readonly<Record<string, unknown>>) => void

/**
 * Logs why the service cannot answer at the moment, with what only operators may see: hosts, ports, paths and commands. Each state is logged once,
 * and again if it returns after a minute. Other refusals are the caller's, and the line of the request has their code.
 */
export function createStateLog(log: Log, clock: () => number = () => performance.now()): StateLog {
  const met = new Map<string, number>()
  return (error, fields = {}) => {
    const state = requestState(error)
    if (state === undefined) return
    // Figures, such as a lag, differ between two answers in one state.
    const key = `${state.code} ${state.text.replaceAll(/\d+/g, '')}`
    const last = met.get(key)
    met.delete(key)
    met.set(key, clock())
    const [oldest] = met.keys()
    if (met.size > MOST_STATES && oldest !== undefined) met.delete(oldest)
    if (last === undefined || clock() - last > STATE_MS)
      log(state.code === 'overloaded' ? 'warn' : 'error', state.text, { ...fields, code: state.code, query_id: queryIdIn(error) })
  }
}

function requestState(error: unknown): { readonly code: ErrorCode; readonly text: string } | undefined {
  if (error instanceof ConfigurationError) return { code: 'connector_unavailable', text: error.problems.join('; ') }
  if (!(error instanceof AppError)) return undefined
  const { code, status, message, operatorDetail: text } = error
  return status === 503 || text !== message ? { code, text } : undefined
}

/** The id that the server of the database gave to the query that failed. */
export function queryIdIn(error: unknown): string | undefined {
  return chainOf(error)
    .map((cause) => ('queryId' in cause ? cause.queryId : undefined))
    .find((id) => typeof id === 'string' && PLAIN.test(id)) as string | undefined
}

function stateIn(error: unknown): string | undefined {
  if (error instanceof ConfigurationError) return error.problems.join('; ')
  if (error instanceof Shortage) return error.operatorDetail
  return error instanceof AppError && STATES.includes(error.code) ? error.operatorDetail : undefined
}

/** An error without sensitive text, for the log. */
interface FailureCause {
  readonly name: string
  /** Code of the driver or the system. */
  readonly code?: string
  /** Error family of a driver without codes, such as `Conversion Error`. */
  readonly kind?: string
  /** The message. Only for errors that the product raises itself. */
  readonly message?: string
  /** Driver fields without values: names of tables and constraints, the routine of the server. */
  readonly facts?: Readonly<Record<string, string | number>>
  readonly frames: readonly string[]
}

const MOST_CAUSES = 5
const MOST_FRAMES = 12

// Fields of pg, mysql2, Node and the client of Trino. These fields are left out, because they may hold sensitive text: message, detail, hint, where,
// internalQuery, parameters, sql, sqlMessage, address.
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
  'queryId',
]
const PLAIN = /^[\w .$-]{1,128}$/

/**
 * An error and its causes, without messages of foreign errors. A driver's message can quote a value, a statement with its values, or an
 * address with its password.
 */
function failureCauses(error: unknown): readonly FailureCause[] {
  const causes = chainOf(error).map(causeOf)
  return causes.length > 0 ? causes : [{ name: typeof error, frames: [] }]
}

/** An error and its causes. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let current = error; current instanceof Error && chain.length < MOST_CAUSES; current = current.cause) chain.push(current)
  return chain
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

// Only lines with a place in a file count as frames. The stack begins with the message, whose lines may look like frames.
function framesOf(error: Error): readonly string[] {
  return (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at .*(?:node:|file:|\/)\S*:\d+:\d+\)?$/.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.trim())
}
