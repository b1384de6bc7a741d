import type { Knex } from 'knex'
import { AppError } from '../core/errors.ts'
import type { SegmentRecord } from '../core/segment.ts'
import type { SegmentStore } from '../engine/ports.ts'
import { datesOf, type StoreRow, textOf, textOrNull } from './attribute-rows.ts'
import { type Access, type Database, table, writeAlone } from './database.ts'
import { instantForStore } from './instants.ts'

/** Saved segments in the side schema. */
export function createSegments(access: Access): SegmentStore {
  return {
    definitions: (ids) => access.read((database) => definitionsOf(database, ids)),
    list: () =>
      access.read(async (database) => {
        const rows: StoreRow[] = await table(database, 'segment').orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
        return rows.map(recordOf)
      }),
    get: (id) => access.read((database) => find(database, id)),
    create: (record) =>
      writeAlone(access, async (database, transaction) => {
        await checkName(database, transaction, record)
        await table(database, 'segment', transaction).insert(rowOf(record))
      }),
    update: (id, changes, at) =>
      writeAlone(access, async (database, transaction) => {
        const found = await find(database, id, transaction)
        if (found === undefined) return undefined
        const record = { ...found, ...changes }
        const isSame = JSON.stringify(record) === JSON.stringify(found)
        if (isSame) return found
        await checkName(database, transaction, record)
        const updated = { ...record, updated_at: at }
        await table(database, 'segment', transaction).where({ id }).update(rowOf(updated))
        return updated
      }),
    delete: (id) =>
      writeAlone(
        access,
        async (database, transaction) => (await table(database, 'segment', transaction).where({ id }).delete()) > 0,
      ),
  }
}

async function definitionsOf(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const rows: StoreRow[] = await table(database, 'segment').whereIn('id', ids).select('id', 'definition')
  return new Map(rows.map((row) => [textOf(row, 'id'), JSON.parse(textOf(row, 'definition')) as unknown]))
}

async function find(database: Database, id: string, scope?: Knex): Promise<SegmentRecord | undefined> {
  const [row]: StoreRow[] = await table(database, 'segment', scope).where({ id })
  return row === undefined ? undefined : recordOf(row)
}

async function checkName(database: Database, transaction: Knex, { id, name }: SegmentRecord): Promise<void> {
  const [taken]: StoreRow[] = await table(database, 'segment', transaction).where({ name }).whereNot({ id }).select('id')
  if (taken !== undefined) throw new AppError('conflict', 'Another segment has this name.')
}

function recordOf(row: StoreRow): SegmentRecord {
  return {
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    description: textOrNull(row, 'description'),
    definition: JSON.parse(textOf(row, 'definition')) as unknown,
    created_by: textOrNull(row, 'created_by'),
    ...datesOf(row),
  }
}

function rowOf({ definition, created_at, updated_at, ...fields }: SegmentRecord): Record<string, unknown> {
  return {
    ...fields,
    definition: JSON.stringify(definition),
    created_at: instantForStore(created_at),
    updated_at: instantForStore(updated_at),
  }
}
