import type { Knex } from 'knex'
import { chunksOf } from '../../../core/batches.ts'
import { type DeliveryRecord, NOTHING_FIRES } from '../../../core/delivery.ts'
import { AppError } from '../../../core/errors.ts'
import type { Workspace } from '../../../core/workspace.ts'
import { integerCell, textCell, textOf } from '../../../ports/cells.ts'
import type { DeliveryStore } from '../../../ports/delivery-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { datesOf } from '../attribute-rows.ts'
import { type Access, changeConcurrently, type Database, table } from '../database.ts'
import { instantForStore, instantFromStore } from '../instants.ts'
import { createRuns } from './runs.ts'

const ROWS_AT_ONCE = 500

/** The deliveries of one workspace. */
export function createDeliveryStore(access: Access, { name: workspace }: Workspace): DeliveryStore {
  const owned = (database: Database, scope?: Knex) => table(database, 'delivery', scope).where({ workspace })
  const known = (database: Database, id: string, scope?: Knex) =>
    table(database, 'delivery_row', scope).where({ workspace, delivery_id: id })
  return {
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await owned(database)
        return rows.map(recordOf).sort((one, other) => (`${one.name}\n${one.id}` < `${other.name}\n${other.id}` ? -1 : 1))
      }),
    get: (id) => access.read(async (database) => firstOf(await owned(database).where({ id }))),
    create: (record, secrets, rows, most) =>
      changeConcurrently(access, async (database, transaction) => {
        const found: Row[] = await owned(database, transaction).where({ id: record.id }).select('id')
        // An earlier attempt may have stored it before its connection was cut.
        if (found.length > 0) return
        const [counted]: Row[] = await owned(database, transaction).count({ total: '*' })
        if (counted !== undefined && integerCell(counted, 'total') >= most)
          throw new AppError('conflict', `There are already ${most} deliveries, which is the limit.`, {
            context: { limit: most },
          })
        await table(database, 'delivery', transaction).insert({ workspace, ...rowOf(record), secrets })
        await addRows(database, transaction, workspace, record.id, rows, record.created_at)
      }),
    update: (id, change, { at, secrets, known: rows, resets = false }) =>
      changeConcurrently(access, async (database, transaction) => {
        const found = firstOf(await owned(database, transaction).where({ id }).forUpdate())
        if (found === undefined) return undefined
        const record = { ...found, ...change, updated_at: at, ...(resets && { state: NOTHING_FIRES }) }
        await owned(database, transaction)
          .where({ id })
          .update({ ...rowOf(record), ...(secrets !== undefined && { secrets }) })
        if (rows !== undefined) {
          await known(database, id, transaction).delete()
          await addRows(database, transaction, workspace, id, rows, at)
        }
        return record
      }),
    remove: (id) =>
      changeConcurrently(access, async (database, transaction) => {
        await known(database, id, transaction).delete()
        await table(database, 'delivery_run', transaction).where({ workspace, delivery_id: id }).delete()
        return (await owned(database, transaction).where({ id }).delete()) > 0
      }),
    secrets: (id) =>
      access.read(async (database) => {
        const [row]: Row[] = await owned(database).where({ id }).select('secrets')
        return row === undefined ? null : textCell(row, 'secrets')
      }),
    knownRows: (id, rows) =>
      access.read(async (database) => {
        const found: string[] = []
        for (const chunk of chunksOf(rows, ROWS_AT_ONCE)) {
          const some: Row[] = await known(database, id).whereIn('row_key', chunk).select('row_key')
          found.push(...some.map((row) => textOf(row, 'row_key')))
        }
        return new Set(found)
      }),
    ...createRuns(access, workspace, addRows),
  }
}

/** Adds rows that are known from now on. Those that are known already were seen again now. */
async function addRows(
  database: Database,
  transaction: Knex,
  workspace: string,
  delivery_id: string,
  rows: readonly string[],
  at: string,
): Promise<void> {
  const known_at = instantForStore(at)
  for (const chunk of chunksOf([...new Set(rows)], ROWS_AT_ONCE))
    await table(database, 'delivery_row', transaction)
      .insert(chunk.map((row_key) => ({ workspace, delivery_id, row_key, known_at })))
      .onConflict(['workspace', 'delivery_id', 'row_key'])
      .merge(['known_at'])
}

function firstOf(rows: readonly Row[]): DeliveryRecord | undefined {
  const [row] = rows
  return row === undefined ? undefined : recordOf(row)
}

/** The parts of a delivery that are stored as one document. */
type Content = Pick<DeliveryRecord, 'name' | 'briefing' | 'when' | 'to' | 'segment' | 'condition' | 'enabled' | 'created_by'>

function recordOf(row: Row): DeliveryRecord {
  return {
    id: textOf(row, 'id'),
    ...(JSON.parse(textOf(row, 'content')) as Content),
    since: instantFromStore(textOf(row, 'since')),
    state: JSON.parse(textOf(row, 'state')) as DeliveryRecord['state'],
    ...datesOf(row),
  }
}

function rowOf({ id, since, state, created_at, updated_at, ...content }: DeliveryRecord): Record<string, unknown> {
  return {
    id,
    content: JSON.stringify(content satisfies Content),
    since: instantForStore(since),
    state: JSON.stringify(state),
    created_at: instantForStore(created_at),
    updated_at: instantForStore(updated_at),
  }
}
