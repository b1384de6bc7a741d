import { withoutPadding } from '../core/attribute-value.ts'
import { inBatches } from '../core/batches.ts'
import type { FxRate, FxRateStore } from '../engine/ports.ts'
import { type Access, type Database, raiseVersion, table } from './database.ts'

const BATCH = 500

interface StoredRate {
  readonly from_currency: string
  readonly to_currency: string
  readonly rate_date: string
  readonly rate: string
}

/** Exchange rates of the side schema. */
export function createFxRates(access: Access): FxRateStore {
  return {
    ratesInto: (to) => access.read((database) => select(database, { to_currency: to })),
    list: () => access.read((database) => select(database, {})),
    upsert: (rates) => access.write((database) => upsert(database, rates)),
  }
}

async function select(database: Database, where: Partial<StoredRate>): Promise<FxRate[]> {
  const rows: StoredRate[] = await table(database, 'fx_rate')
    .select('from_currency', 'to_currency', 'rate_date', 'rate')
    .where(where)
    .orderBy(['from_currency', 'to_currency', 'rate_date'])
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
      await table(database, 'fx_rate', transaction)
        .insert(distinct(batch))
        .onConflict(['to_currency', 'from_currency', 'rate_date'])
        .merge(['rate'])
      taken += batch.length
    }
    return taken
  })
}

// PostgreSQL refuses to touch a row twice in one statement.
function distinct(rates: readonly FxRate[]): StoredRate[] {
  const byKey = new Map<string, StoredRate>()
  for (const { date, from, to, rate } of rates) {
    byKey.set(`${date} ${from} ${to}`, { from_currency: from, to_currency: to, rate_date: date, rate })
  }
  return [...byKey.values()]
}
