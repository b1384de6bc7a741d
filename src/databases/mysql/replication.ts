import type { Statement } from '../../compiler/statement.ts'
import { InternalError } from '../../core/errors.ts'
import type { ReplicaState } from '../../ports/executor.ts'
import type { Cell, Row } from '../../ports/rows.ts'

export type Replication = Pick<ReplicaState, 'lag_seconds' | 'data_through' | 'doubt'>

/** The server's values that belong to the state of its replication. */
interface Moment {
  /** UTC instant (`YYYY-MM-DD HH:MM:SS`), read before the state of the replication. */
  readonly read_at: string
  /** After this many seconds of silence a receiver closes its connection. Null if the server does not report it. */
  readonly patience_seconds: number | null
}

/** The state of a replica, from one row per source. Its lag is the largest lag of a source. */
export function replicationOf(rows: readonly Row[], moment: Moment): Replication {
  const sources = rows.map((row) => sourceOf(row, moment))
  const lags = sources.map(({ lag_seconds }) => lag_seconds)
  const reached = sources.map(({ data_through }) => data_through)
  return {
    lag_seconds: allKnown(lags) ? Math.max(...lags) : null,
    data_through: allKnown(reached) ? ([...reached].sort()[0] ?? null) : null,
    doubt: sources.find(({ doubt }) => doubt !== null)?.doubt ?? null,
  }
}

// While an event is being applied, the lag is the age of this event, and everything before it has arrived. If no event waits (lag
// 0), the primary may have written changes that did not arrive: the receiver tolerates silence for `patience_seconds`. So the
// data is certainly complete only up to `patience_seconds` ago.
function sourceOf(row: Row, { read_at, patience_seconds }: Moment): Replication {
  const behind = firstOf(row, 'Seconds_Behind_Source', 'Seconds_Behind_Master')
  const lag = behind === null ? null : Number(behind)
  const age = lag === 0 ? patience_seconds : lag
  return {
    lag_seconds: lag,
    data_through: age === null ? null : secondsBefore(read_at, age),
    doubt: doubtOf(row, lag),
  }
}

function doubtOf(row: Row, lag: number | null): string | null {
  const applier = firstOf(row, 'Replica_SQL_Running', 'Slave_SQL_Running')
  if (applier !== 'Yes') return `the SQL thread is stopped${errorOf(row, 'Last_SQL_Errno')}`
  const receiver = firstOf(row, 'Replica_IO_Running', 'Slave_IO_Running')
  if (receiver !== 'Yes') return `the IO thread is not connected${errorOf(row, 'Last_IO_Errno')}`
  return lag === null ? 'the server does not report how far it is behind' : null
}

// Only the number is shown, because the text of an error may contain values of the data.
function errorOf(row: Row, column: string): string {
  const code = firstOf(row, column)
  return code === null || code === '0' ? '' : ` (error ${code})`
}

function firstOf(row: Row, ...columns: readonly string[]): string | null {
  const cell = columns.map((column) => row[column] ?? null).find((candidate) => candidate !== null) ?? null
  return cell === null ? null : String(cell)
}

function allKnown<T>(list: readonly (T | null)[]): list is readonly T[] {
  return list.every((one) => one !== null)
}

/** Subtracts `seconds` from a UTC instant (`YYYY-MM-DD HH:MM:SS`). The result has the same form. */
export function secondsBefore(instant: string, seconds: number): string {
  const then = new Date(Date.parse(`${instant.replace(' ', 'T')}Z`) - seconds * 1000)
  return then.toISOString().slice(0, 19).replace('T', ' ')
}

/** A statement about the server itself. */
export function statement(text: string): Statement {
  return { text, values: [], label: 'plumbline state' }
}

/** A cell as text. Null if it is absent. */
export function textOf(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell)
}

/** The result of a statement. Undefined if the server does not know the statement, or the role may not run it. */
export async function orUnread<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InternalError) return undefined
    throw error
  }
}
