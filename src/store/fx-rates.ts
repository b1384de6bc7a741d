import type { Knex } from 'knex'
import { withoutPadding } from '../core/attribute-value.ts'
import { inBatches } from '../core/batches.ts'
import type { FxRate } from '../core/fx-rate.ts'
import type { FxRateStore } from '../ports/fx-rate-store.ts'
import { type Access, type Database, raiseVersion, table } from './database.ts'
import { engineOf } from './engine-of.ts'
import { upsertRows } from './sqlite/upsert-rows.ts'

const BATCH = 500
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
    ratesInto: (to, from) => access.read((database) => select(database, { to, from })),
    list: () => access.read((database) => select(database)),
    upsert: (rates) => access.write((database) => upsert(database, rates)),
  }
}

async function select(
  database: Database,
  only?: { readonly to: string; readonly from: readonly string[] | undefined },
): Promise<FxRate[]> {
  const wanted = table(database, 'fx_rate').select('from_currency', 'to_currency', 'rate_date', 'rate')
  if (only !== undefined) wanted.where('to_currency', only.to)
  if (only?.from !== undefined) wanted.whereIn('from_currency', [...only.from])
  const rows: StoredRate[] = await wanted.orderBy(['from_currency', 'to_currency', 'rate_date'])
  return rows.map((row) => ({
    date: row.rate_date,
    from: row.from_currency,
    to: row.to_currency,
    rate: withoutPadding(row.rate),
  }))
}

async function upsert(database: Database, rates: Iterable<FxRate> | AsyncIterable<FxRate>): Promise<number> {
  return database.knex.transaction(async (transaction) => {
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

// PostgreSQL refuses to touch a row twice in one statement.
function distinct(rates: readonly FxRate[]): StoredRate[] {
  const byKey = new Map<string, StoredRate>()
  for (const { date, from, to, rate } of rates) {
    byKey.set(`${date} ${from} ${to}`, { from_currency: from, to_currency: to, rate_date: date, rate: withoutPadding(rate) })
  }
  return [...byKey.values()]
}
