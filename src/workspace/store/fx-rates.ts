import type { Knex } from 'knex'
import { withoutPadding } from '../../core/attribute-value.ts'
import { inBatches } from '../../core/batches.ts'
import type { FxRate } from '../../core/currency.ts'
import type { FxRateStore, RateSelection } from '../../ports/fx-rate-store.ts'
import { type Access, type Database, engineOf, inTransaction, raiseVersion, table } from './database.ts'
import { upsertRows } from './sqlite/upsert-rows.ts'

const BATCH = 500
const NEWEST = { newest_from: 'from_currency', newest_to: 'to_currency', newest_date: 'rate_date' }
const IDENTITY = ['to_currency', 'from_currency', 'rate_date'] as const

type StoredRate = {
  readonly from_currency: string
  readonly to_currency: string
  readonly rate_date: string
  readonly rate: string
}

/** Exchange rates of the side schema. */
export function createFxRates(access: Access): FxRateStore {
  return {
    ratesInto: (to, from) => access.read((database) => select(database, { to: [to], from })),
    list: (selection) => access.read((database) => select(database, selection)),
    upsert: (rates) => access.write((database) => upsert(database, rates)),
  }
}

async function select(database: Database, selection: RateSelection = {}): Promise<FxRate[]> {
  const { latest = false, limit } = selection
  const wanted = narrowed(table(database, 'fx_rate'), selection)
  if (latest) wanted.join(newest(database, selection), NEWEST)
  if (limit !== undefined) wanted.limit(limit)
  const rows: StoredRate[] = await wanted
    .select('from_currency', 'to_currency', 'rate_date', 'rate')
    .orderBy(['from_currency', 'to_currency', 'rate_date'])
  return rows.map((row) => ({
    date: row.rate_date,
    from: row.from_currency,
    to: row.to_currency,
    rate: withoutPadding(row.rate),
  }))
}

function narrowed(query: Knex.QueryBuilder, { from, to, start, end }: RateSelection): Knex.QueryBuilder {
  if (from !== undefined) query.whereIn('from_currency', [...from])
  if (to !== undefined) query.whereIn('to_currency', [...to])
  if (start !== undefined) query.where('rate_date', '>=', start)
  if (end !== undefined) query.where('rate_date', '<=', end)
  return query
}

/** The last day of each pair. The column names differ from those of the table, so that both can be joined. */
function newest(database: Database, selection: RateSelection): Knex.QueryBuilder {
  return narrowed(table(database, 'fx_rate'), selection)
    .select('from_currency as newest_from', 'to_currency as newest_to')
    .max('rate_date as newest_date')
    .groupBy('from_currency', 'to_currency')
    .as('newest')
}

async function upsert(database: Database, rates: Iterable<FxRate> | AsyncIterable<FxRate>): Promise<number> {
  return inTransaction(database, async (transaction) => {
    let taken = 0
    for await (const batch of inBatches(rates, BATCH)) {
      if (taken === 0) await raiseVersion(database, transaction)
      await put(database, transaction, distinct(batch))
      taken += batch.length
    }
    return taken
  })
}

async function put(database: Database, transaction: Knex, rows: readonly StoredRate[]): Promise<void> {
  if (engineOf(transaction) === 'sqlite') {
    await upsertRows(transaction, {
      table: 'fx_rate',
      columns: [...IDENTITY, 'rate'],
      rows,
      identity: IDENTITY,
      merged: ['rate'],
    })
    return
  }
  await table(database, 'fx_rate', transaction)
    .insert([...rows])
    .onConflict([...IDENTITY])
    .merge(['rate'])
}

// PostgreSQL does not change a row twice in one statement, so each pair and day must appear once.
function distinct(rates: readonly FxRate[]): StoredRate[] {
  const byKey = new Map<string, StoredRate>()
  for (const { date, from, to, rate } of rates) {
    byKey.set(`${date} ${from} ${to}`, { from_currency: from, to_currency: to, rate_date: date, rate: withoutPadding(rate) })
  }
  return [...byKey.values()]
}
