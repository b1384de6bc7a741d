import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { AppError } from '../../core/errors.ts'
import type { Workspace } from '../../core/workspace.ts'
import { textCell, textOf } from '../../ports/cells.ts'
import { type GoalCounts, type GoalRecord, type GoalStore, MOST_GOALS } from '../../ports/goal-store.ts'
import type { Row } from '../../ports/rows.ts'
import { datesOf } from './attribute-rows.ts'
import { type Access, changeConcurrently, table } from './database.ts'
import { instantForStore } from './instants.ts'

/** The stored goals of one workspace. No answer depends on them, so they do not raise the counter of writes. */
export function createGoals(access: Access, { name: workspace }: Workspace): GoalStore {
  const change = <T>(work: (rows: () => Knex.QueryBuilder) => Promise<T>) =>
    changeConcurrently(access, (database, transaction) => work(() => table(database, 'goal', transaction).where({ workspace })))
  const rowFor = (record: GoalRecord) => ({ workspace, ...rowOf(record) })
  return {
    list: () =>
      access.read(async (database) => {
        const rows: Row[] = await table(database, 'goal').where({ workspace })
        return rows.map(recordOf).toSorted(inOrder)
      }),
    get: (id) => access.read((database) => find(table(database, 'goal').where({ workspace }), { id })),
    create: (record) =>
      change(async (rows) => {
        checkCount((await keysOf(rows())).size + 1)
        await rows().clearWhere().insert(rowFor(record)).onConflict(['workspace', 'goal_key']).ignore()
        const stored = await find(rows(), { goal_key: keyOf(record) })
        // An earlier attempt may have inserted the row before its connection was cut.
        if (stored?.id !== record.id) throw new AppError('conflict', 'This number has a goal for this period already.')
      }),
    update: (id, changes, at) =>
      change(async (rows) => {
        const found = await find(rows(), { id })
        if (found === undefined || (found.value === changes.value && found.currency === changes.currency)) return found
        const updated = { ...found, ...changes, updated_at: at }
        await rows().where({ id }).update(rowOf(updated))
        return updated
      }),
    put: (records, isWritten) =>
      change(async (rows) => {
        const known = await keysOf(rows())
        const added = records.filter((record) => !known.has(keyOf(record)))
        checkCount(known.size + added.length)
        const isSame = (record: GoalRecord) => {
          const stored = known.get(keyOf(record))
          return stored?.value === record.value && stored.currency === record.currency
        }
        const touched = records.filter((record) => !isSame(record))
        if (isWritten)
          for (const record of touched)
            await rows()
              .clearWhere()
              .insert(rowFor(record))
              .onConflict(['workspace', 'goal_key'])
              .merge(['value', 'currency', 'updated_at'])
        const counts: GoalCounts = {
          created: added.length,
          changed: touched.length - added.length,
          unchanged: records.length - touched.length,
        }
        return counts
      }),
    delete: (id) => change(async (rows) => (await rows().where({ id }).delete()) > 0),
  }
}

/** By number, then by period. Databases compare the filters in different ways. */
function inOrder(one: GoalRecord, other: GoalRecord): number {
  const text = ({ metric, query_type, measure, filter, period }: GoalRecord) =>
    [metric, query_type, measure, ...filter, '', period].join('\0')
  return text(one) < text(other) ? -1 : 1
}

/** The stored goals by key. */
async function keysOf(rows: Knex.QueryBuilder): Promise<ReadonlyMap<string, Pick<GoalRecord, 'value' | 'currency'>>> {
  const found: Row[] = await rows.select('goal_key', 'value', 'currency')
  return new Map(
    found.map((row) => [textOf(row, 'goal_key'), { value: Number(textOf(row, 'value')), currency: textCell(row, 'currency') }]),
  )
}

async function find(rows: Knex.QueryBuilder, where: Readonly<Record<string, string>>): Promise<GoalRecord | undefined> {
  const [row]: Row[] = await rows.where(where)
  return row === undefined ? undefined : recordOf(row)
}

function checkCount(count: number): void {
  if (count <= MOST_GOALS) return
  const limit = MOST_GOALS
  throw new AppError('validation_failed', `That would be more than ${limit} goals, which is the limit.`, { context: { limit } })
}

/** Names the number and the period of a goal. Its texts together are too long for an index. */
function keyOf({ metric, query_type, measure, filter, period }: GoalRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([metric, query_type, measure, filter, period]))
    .digest('hex')
}

function recordOf(row: Row): GoalRecord {
  return {
    id: textOf(row, 'id'),
    metric: textOf(row, 'metric'),
    query_type: textOf(row, 'query_type'),
    measure: textOf(row, 'measure'),
    filter: JSON.parse(textOf(row, 'filter')) as readonly string[],
    period: textOf(row, 'period'),
    value: Number(textOf(row, 'value')),
    currency: textCell(row, 'currency'),
    created_by: textCell(row, 'created_by'),
    ...datesOf(row),
  }
}

function rowOf(record: GoalRecord): Record<string, unknown> {
  const { filter, value, created_at, updated_at, ...fields } = record
  return {
    ...fields,
    goal_key: keyOf(record),
    filter: JSON.stringify(filter),
    value: String(value),
    created_at: instantForStore(created_at),
    updated_at: instantForStore(updated_at),
  }
}
