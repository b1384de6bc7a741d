import { AppError, ConfigurationError, InternalError } from '../../../core/errors.ts'
import { tlsFailure } from '../../../databases/addresses/failed-connection.ts'
import type { ServerAddress } from '../../../databases/addresses/server-address.ts'

// Codes that mean a connection failure. Node's own codes. SQLSTATE of connection (08), authorisation (28), unknown database (3D), resources
// (53), operator intervention (57P), a read-only server (25006) and collisions with other writers (40, 55P03). The MySQL equivalents. TLS
// failures. Errors of file and disk that SQLite reports.
const LOST =
  /^(E[A-Z]+|(08|28|3D|40|53)\w{3}|57P\w{2}|55P03|25006|PROTOCOL_\w+|ER_(ACCESS_DENIED|DBACCESS_DENIED|BAD_DB|CON_COUNT|LOCK|SECURE_TRANSPORT|SERVER_SHUTDOWN|OPTION_PREVENTS|CANT_EXECUTE_IN_READ_ONLY|READ_ONLY_MODE)\w*|NO_TLS|HANDSHAKE_\w+|PUBLIC_KEY_NOT_ALLOWED|ERR_(SSL|TLS)_\w+|(CERT|CRL|UNABLE|SELF_SIGNED|DEPTH_ZERO)_\w+|SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOTADB|PERM|PROTOCOL|READONLY)\w*)$/
/** Codes for a write that could not start because another writer held its lock too long. */
const TAKEN = /^(55P03|ER_LOCK_WAIT_TIMEOUT|SQLITE_BUSY\w*)$/

/** The store that failed: its name in messages, and its address if it is on a server. */
interface FailedStore {
  readonly name: string
  readonly address?: ServerAddress
}

/** The error of opening the store: always `connector_unavailable`. It names the store and the reason, but no secret. */
export function openError({ name, address }: FailedStore, error: unknown): Error {
  if (isOurs(error)) return error
  if (TAKEN.test(codeOf(error))) return storeTaken(name, error)
  return new AppError('connector_unavailable', `The store ${name} cannot be opened: ${reason(error, address)}.`, { cause: error })
}

/** Failure of a statement on an open store: `connector_unavailable` if the connection failed, else an InternalError. */
export function statementError({ name, address }: FailedStore, error: unknown): Error {
  if (isOurs(error)) return error
  if (TAKEN.test(codeOf(error))) return storeTaken(name, error)
  if (isLost(error)) {
    return new AppError('connector_unavailable', `The store ${name} cannot be reached: ${reason(error, address)}.`, {
      cause: error,
    })
  }
  if (isOverflow(error)) {
    return new AppError('result_too_large', 'A sum is larger than the store can count. Ask for a shorter range.', {
      cause: error,
    })
  }
  return new InternalError('a statement of the store failed', { cause: error })
}

/** Error of a write that has waited too long for other writers. */
export function storeTaken(name: string, cause?: unknown): AppError {
  const detail = `The store ${name} is busy: another request, import or process is writing for a long time. Try again later.`
  return new AppError('connector_unavailable', detail, { cause })
}

function isOurs(error: unknown): error is Error {
  return error instanceof AppError || error instanceof InternalError || error instanceof ConfigurationError
}

/** True if the connection failed and not the statement. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'KnexTimeoutError' || /Connection (terminated|ended|lost)/i.test(error.message)) return true
  return LOST.test(codeOf(error))
}

// SQLite sums in 64 bits and reports an overflow. The servers use decimals.
function isOverflow(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_ERROR' && error instanceof Error && error.message.endsWith('integer overflow')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

// For a host with several addresses, Node throws an aggregate error without a message.
function reason(error: unknown, address: ServerAddress | undefined): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const ofTls = address === undefined ? undefined : tlsFailure(error, address)
  if (ofTls !== undefined) return ofTls
  // knex puts the statement in front of the message. The statement would not help the reader of an answer.
  if ('sqlMessage' in error && typeof error.sqlMessage === 'string') return error.sqlMessage.replace(/\.$/, '')
  const inner = error instanceof AggregateError ? error.errors.find((each) => each instanceof Error) : undefined
  const text =
    error.message || (inner instanceof Error ? inner.message : '') || ('code' in error ? String(error.code) : error.name)
  return (text.split('\n')[0] ?? '').replace(/\.$/, '')
}
