import { AppError, InternalError } from '../core/errors.ts'

// Node's own codes; SQLSTATE of connection (08), authorisation (28), unknown database (3D), resources (53), operator
// intervention (57P), collisions with other writers (40, 55P03); the same of MySQL.
const LOST =
  /^(E[A-Z]+|(08|28|3D|40|53)\w{3}|57P\w{2}|55P03|PROTOCOL_\w+|ER_(ACCESS_DENIED|DBACCESS_DENIED|BAD_DB|CON_COUNT|LOCK|SERVER_SHUTDOWN)\w*)$/

/** Failure while opening the store: always `connector_unavailable`, naming the store and the reason but no secret. */
export function openError(name: string, error: unknown): Error {
  if (isOurs(error)) return error
  return new AppError('connector_unavailable', `The store ${name} cannot be opened: ${reason(error)}.`, { cause: error })
}

/** Failure of a statement on an opened store: `connector_unavailable` when the connection is at fault, else ours. */
export function statementError(name: string, error: unknown): Error {
  if (isOurs(error)) return error
  if (isLost(error)) {
    return new AppError('connector_unavailable', `The store ${name} cannot be reached: ${reason(error)}.`, { cause: error })
  }
  return new InternalError('a statement of the store failed', { cause: error })
}

function isOurs(error: unknown): error is Error {
  return error instanceof AppError || error instanceof InternalError
}

/** True when the connection is at fault, not the statement. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'KnexTimeoutError' || /Connection (terminated|ended|lost)/i.test(error.message)) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return LOST.test(code)
}

// Node reports a host with several addresses as an aggregate without a message of its own.
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  // knex puts the statement before the message; nobody who asks wants to read it.
  if ('sqlMessage' in error && typeof error.sqlMessage === 'string') return error.sqlMessage.replace(/\.$/, '')
  const inner = error instanceof AggregateError ? error.errors.find((each) => each instanceof Error) : undefined
  const text =
    error.message || (inner instanceof Error ? inner.message : '') || ('code' in error ? String(error.code) : error.name)
  return (text.split('\n')[0] ?? '').replace(/\.$/, '')
}
