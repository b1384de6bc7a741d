import type { Knex } from 'knex'
import { AppError } from '../../core/errors.ts'
import type { Workspace } from '../../core/workspace.ts'
import { integerCell, textCell, textOf } from '../../ports/cells.ts'
import { MOST_NOTES, type NoteRecord, type NoteSelection, type NoteStore } from '../../ports/note-store.ts'
import type { Row } from '../../ports/rows.ts'
import { datesOf } from './attribute-rows.ts'
import { type Access, changeConcurrently, table } from './database.ts'
import { instantForStore } from './instants.ts'

/** The stored notes of one workspace. No answer depends on them, so they do not raise the counter of writes. */
export function createNotes(access: Access, { name: workspace }: Workspace): NoteStore {
  const change = <T>(work: (rows: () => Knex.QueryBuilder) => Promise<T>) =>
    changeConcurrently(access, (database, transaction) => work(() => table(database, 'note', transaction).where({ workspace })))
  return {
    list: (selection = {}) =>
      access.read(async (database) => {
        const rows: Row[] = await selected(table(database, 'note').where({ workspace }), selection)
        return rows.map(recordOf)
      }),
    get: (id) => access.read((database) => find(table(database, 'note').where({ workspace }), id)),
    create: (record) =>
      change(async (rows) => {
        await checkCount(rows(), record.id)
        await rows()
          .clearWhere()
          .insert({ workspace, ...rowOf(record) })
          .onConflict(['workspace', 'id'])
          .ignore()
      }),
    update: (id, changes, at) =>
      change(async (rows) => {
        const found = await find(rows(), id)
        if (found === undefined) return undefined
        const record = { ...found, ...changes }
        if (JSON.stringify(record) === JSON.stringify(found)) return found
        const updated = { ...record, updated_at: at }
        await rows().where({ id }).update(rowOf(updated))
        return updated
      }),
    delete: (id) => change(async (rows) => (await rows().where({ id }).delete()) > 0),
  }
}

function selected(rows: Knex.QueryBuilder, { start, end, metrics }: NoteSelection): Knex.QueryBuilder {
  if (start !== undefined) rows.where('day', '>=', start)
  if (end !== undefined) rows.where('day', '<=', end)
  if (metrics !== undefined) rows.where((either) => either.whereIn('metric', metrics).orWhereNull('metric'))
  return rows.orderBy(['day', 'created_at', 'id'])
}

async function find(rows: Knex.QueryBuilder, id: string): Promise<NoteRecord | undefined> {
  const [row]: Row[] = await rows.where({ id })
  return row === undefined ? undefined : recordOf(row)
}

// An earlier attempt may have inserted the row before its connection was cut.
async function checkCount(rows: Knex.QueryBuilder, id: string): Promise<void> {
  const [counted]: Row[] = await rows.whereNot({ id }).count({ total: '*' })
  if (counted === undefined || integerCell(counted, 'total') < MOST_NOTES) return
  const limit = MOST_NOTES
  throw new AppError('validation_failed', `There are already ${limit} notes, which is the limit.`, { context: { limit } })
}

function recordOf(row: Row): NoteRecord {
  return {
    id: textOf(row, 'id'),
    day: textOf(row, 'day'),
    text: textOf(row, 'text'),
    metric: textCell(row, 'metric'),
    tenant: textCell(row, 'tenant'),
    created_by: textCell(row, 'created_by'),
    ...datesOf(row),
  }
}

function rowOf({ created_at, updated_at, ...fields }: NoteRecord): Record<string, unknown> {
  return { ...fields, created_at: instantForStore(created_at), updated_at: instantForStore(updated_at) }
}
