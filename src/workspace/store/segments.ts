import type { Knex } from 'knex'
import { AppError } from '../../core/errors.ts'
import type { NamedSegment, SegmentRecord, Workspace } from '../../core/workspace.ts'
import { textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { SegmentStore } from '../../ports/store.ts'
import { datesOf } from './attribute-rows.ts'
import { type Access, type Database, table, writeExclusively } from './database.ts'
import { instantForStore } from './instants.ts'

/** The stored segments of one workspace. */
export function createSegments(access: Access, { name: workspace }: Workspace): SegmentStore {
  const owned: Owned = (database, scope) => table(database, 'segment', scope).where({ workspace })
  return {
    named: (texts) => access.read((database) => namedIn(owned(database), texts)),
    names: (limit) =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).orderBy('name').limit(limit).select('name')
        return rows.map((row) => textOf(row, 'name'))
      }),
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database).orderBy([{ column: 'updated_at', order: 'desc' }, 'id'])
        return rows.map(recordOf)
      }),
    get: (id) => access.read((database) => find(owned(database), id)),
    create: (record) =>
      writeExclusively(access, async (database, transaction) => {
        await checkName(owned(database, transaction), record)
        await table(database, 'segment', transaction).insert({ workspace, ...rowOf(record) })
      }),
    update: (id, changes, at) =>
      writeExclusively(access, async (database, transaction) => {
        const found = await find(owned(database, transaction), id)
        if (found === undefined) return undefined
        const record = { ...found, ...changes }
        const isSame = JSON.stringify(record) === JSON.stringify(found)
        if (isSame) return found
        await checkName(owned(database, transaction), record)
        const updated = { ...record, updated_at: at }
        await owned(database, transaction).where({ id }).update(rowOf(updated))
        return updated
      }),
    delete: (id) =>
      writeExclusively(access, async (database, transaction) => (await owned(database, transaction).where({ id }).delete()) > 0),
  }
}

type Query = ReturnType<typeof table>
/** Rows that belong to the workspace. */
type Owned = (database: Database, scope?: Knex) => Query

async function namedIn(segments: Query, texts: readonly string[]): Promise<readonly NamedSegment[]> {
  const rows: Row[] = await segments
    .where((either) => either.whereIn('id', texts).orWhereIn('name', texts))
    .select('id', 'name', 'definition')
  const found = rows.map((row) => ({
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    definition: JSON.parse(textOf(row, 'definition')) as unknown,
  }))
  // MySQL treats texts as equal if they differ only in trailing blanks.
  return found.filter(({ id, name }) => texts.includes(id) || texts.includes(name))
}

async function find(segments: Query, id: string): Promise<SegmentRecord | undefined> {
  const [row]: Row[] = await segments.where({ id })
  return row === undefined ? undefined : recordOf(row)
}

async function checkName(segments: Query, { id, name }: SegmentRecord): Promise<void> {
  const [taken]: Row[] = await segments.where({ name }).whereNot({ id }).select('id')
  if (taken !== undefined) throw new AppError('conflict', 'Another segment has this name.')
}

function recordOf(row: Row): SegmentRecord {
  return {
    id: textOf(row, 'id'),
    name: textOf(row, 'name'),
    description: textCell(row, 'description'),
    definition: JSON.parse(textOf(row, 'definition')) as unknown,
    created_by: textCell(row, 'created_by'),
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
