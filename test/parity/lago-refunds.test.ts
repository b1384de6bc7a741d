import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const RANGE = { start: '2024-01-01', end: '2026-11-20' }
/** Hundredths in one unit of the engine. */
const FACTORS: Readonly<Record<string, number>> = { JPY: 100, KWD: 0.1 }

/** Amounts that went back, by currency, from the tables: refunds of credit notes, and invoices whose dispute was lost. No invoice has both. */
const RETURNED = `
select money.currency, money.cents from (
  select invoice.id, invoice.currency, note.refund_amount_cents as cents from credit_notes as note
    join invoices as invoice on invoice.id = note.invoice_id where note.refund_status = 1
  union all
  select invoice.id, invoice.currency, invoice.total_amount_cents - (
      select coalesce(sum(amount_cents), 0) from invoice_settlements where target_invoice_id = invoice.id and settlement_type = 'credit_note'
    ) from invoices as invoice where invoice.payment_dispute_lost_at is not null
) as money
join invoices as invoice on invoice.id = money.id and invoice.payment_status = 1 and invoice.status = 1 and not invoice.self_billed
join customers as buyer on buyer.id = invoice.customer_id and buyer.account_type <> 'partner'`

onPostgres('what went back to customers of Lago (D73)', (target) => {
  let database: TestDatabase
  let ignoring: Engine
  let subtracting: Engine
  let cached: Engine
  beforeAll(async () => {
    let cache: CountedCache | undefined
    database = await sharedNorth(target)
    ignoring = await lagoEngine(database)
    const definitions = { refunds: 'subtract' } as const
    subtracting = await lagoEngine(database, { definitions })
    cached = await lagoEngine(database, { definitions, onCache: (made) => (cache = made) })
    await cache?.ready()
  })
  const paid = async (engine: Engine) => {
    const { data } = await engine.query('ltv', { query_type: 'cohort', ...RANGE }, { dimensions: ['currency'] })
    const sums = new Map<string, number>()
    for (const { currency, total_revenue } of data as Rows)
      sums.set(String(currency), (sums.get(String(currency)) ?? 0) + Number(total_revenue))
    return sums
  }

  it('is what the credit notes and lost disputes say, straight and from the cache', async () => {
    const expected = new Map<string, number>()
    for (const { currency, cents } of await database.adminQuery(RETURNED))
      expected.set(
        String(currency),
        (expected.get(String(currency)) ?? 0) + Math.round(Number(cents) * (FACTORS[String(currency)] ?? 1)),
      )
    expect(expected.size).toBeGreaterThan(2)
    const before = await paid(ignoring)
    for (const engine of [subtracting, cached]) {
      const after = await paid(engine)
      const returned = [...before].map(([currency, sum]) => [currency, sum - (after.get(currency) ?? 0)] as const)
      expect(new Map(returned.filter(([, sum]) => sum !== 0))).toEqual(expected)
    }
  })
})
