import type { Knex } from 'knex'
import { AppError } from '../../../core/errors.ts'
import { integerCell } from '../../../ports/cells.ts'
import type { Row } from '../../../ports/rows.ts'
import type { OwnedRows } from './owned-tables.ts'
import type { RecordRow } from './rows.ts'

/** How records of a kind are read, and what they are called. */
export interface Kind<T> {
  readonly name: string
  readonly plural: string
  /** Most of them. */
  readonly limit: number
  readonly read: (row: Row) => T
}

/** The record of this id. AppError `not_found`. */
export async function recordIn<T>(rows: OwnedRows, { name, read }: Kind<T>, id: string): Promise<T> {
  const [row]: Row[] = await rows.find().where({ id })
  if (row === undefined) throw new AppError('not_found', `There is no ${name} of this id.`)
  return read(row)
}

/** Inserts a row, unless an attempt whose connection was cut has done so. AppError `validation_failed` where there are as many as there may be. */
export async function addTo<T>(rows: OwnedRows, kind: Kind<T>, row: RecordRow): Promise<void> {
  if (await hasRow(rows.find().where({ id: row.id }))) return
  await checkRoom(rows, kind)
  await rows.insert(row)
}

/** Changes a record, if it differs then; true when it did. AppError `not_found`. */
export async function changeIn<T extends object>(
  rows: OwnedRows,
  kind: Kind<T>,
  id: string,
  change: Partial<NoInfer<T>>,
  rowOf: (record: T) => Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const found = await recordIn(rows, kind, id)
  const changed = { ...found, ...change }
  if (JSON.stringify(changed) === JSON.stringify(found)) return false
  await rows.find().where({ id }).update(rowOf(changed))
  return true
}

/** Deletes a record and what depends on it. AppError `not_found`. */
export async function removeFrom<T>(rows: OwnedRows, kind: Kind<T>, id: string): Promise<void> {
  await recordIn(rows, kind, id)
  await rows.find().where({ id }).delete()
}

/** Whether the query finds a row. */
export async function hasRow(query: Knex.QueryBuilder): Promise<boolean> {
  const found: Row[] = await query.select('id').limit(1)
  return found.length > 0
}

async function checkRoom<T>(rows: OwnedRows, { plural, limit }: Kind<T>): Promise<void> {
  const [counted]: Row[] = await rows.find().count({ total: '*' })
  if (counted === undefined || integerCell(counted, 'total') < limit) return
  throw new AppError('validation_failed', `There are ${limit} ${plural} already, which is the limit.`, { context: { limit } })
}
