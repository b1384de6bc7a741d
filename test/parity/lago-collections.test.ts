import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

type Row = Record<string, string | number | null>

/** Attempts from the tables, by invoice: whether each failed, in their order, with the month of the first one. All days are in UTC here. */
const ATTEMPTS = `
select invoice.id, invoice.currency, to_char(min(payment.created_at), 'YYYY-MM-01') as period,
  string_agg(case payment.payable_payment_status when 'failed' then 'f' else 's' end, '' order by payment.created_at, payment.id) as outcomes
from (
  select id, payable_id as invoice_id, created_at, payable_payment_status, payment_type from payments where payable_type = 'Invoice'
  union all
  select payments.id, covered.invoice_id, payments.created_at, payable_payment_status, payment_type from payments
    join invoices_payment_requests as covered on covered.payment_request_id = payable_id where payable_type = 'PaymentRequest'
) as payment
join invoices as invoice on invoice.id = payment.invoice_id and invoice.status in (1, 2) and not invoice.self_billed
join customers as buyer on buyer.id = invoice.customer_id and buyer.account_type <> 'partner' and coalesce(buyer.timezone, 'UTC') = 'UTC'
where payment.payment_type = 'provider'
group by invoice.id, invoice.currency`

onPostgres('collections of a Lago organization (R27)', (target) => {
  let database: TestDatabase
  let engine: Engine
  beforeAll(async () => {
    database = await sharedNorth(target)
    engine = await lagoEngine(database)
  })

  it('count the payments through a provider, by invoice and by the month of the first one', async () => {
    const wanted = new Map<
      string,
      { invoices_attempted: number; first_attempt_failed: number; attempts: number; failed_attempts: number }
    >()
    for (const { currency, period, outcomes } of await database.adminQuery(ATTEMPTS)) {
      const tried = [...String(outcomes)]
      const key = `${String(period)} ${String(currency)}`
      const own = wanted.get(key) ?? { invoices_attempted: 0, first_attempt_failed: 0, attempts: 0, failed_attempts: 0 }
      own.invoices_attempted += 1
      own.first_attempt_failed += tried[0] === 'f' ? 1 : 0
      own.attempts += tried.length
      own.failed_attempts += tried.filter((outcome) => outcome === 'f').length
      wanted.set(key, own)
    }
    const utc = await database.adminQuery(
      `select id from customers where coalesce(timezone, 'UTC') = 'UTC' and account_type <> 'partner'`,
    )
    const ids = new Set(utc.map(({ id }) => String(id)))
    const { data } = await engine.query(
      'ledger',
      { query_type: 'collections', start: '2024-12-01', end: '2026-11-20' },
      { dimensions: ['currency', 'customer_id'] },
    )
    const found = new Map<string, Record<string, number>>()
    let recovered = 0
    for (const row of data as Row[]) {
      if (!ids.has(String(row['customer_id']))) continue
      const key = `${row['period']} ${row['currency']}`
      const own = found.get(key) ?? {}
      for (const name of ['invoices_attempted', 'first_attempt_failed', 'attempts', 'failed_attempts'])
        own[name] = (own[name] ?? 0) + Number(row[name])
      recovered += Number(row['recovered'])
      if (own['attempts'] !== 0) found.set(key, own)
    }
    expect(found).toEqual(wanted)
    expect([...wanted.values()].reduce((sum, one) => sum + one.first_attempt_failed, 0)).toBeGreaterThan(50)
    expect(recovered).toBeGreaterThan(50)
  })
})
