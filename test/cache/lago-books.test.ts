import { afterAll, beforeAll, expect, it } from 'vitest'
import { lagoGrants } from '../../connectors/lago/grants.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillLedgerOfLago } from '../support/data/lago/ledger-rows.ts'
import { workedId } from '../support/data/lago/worked-rows.ts'
import { createRole, type RestrictedRole } from '../support/databases/restricted-role.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

const NOW = new Date('2025-07-05T00:00:00Z')
const RANGE = { start: '2025-01-01', end: '2025-06-30' }

const QUESTIONS: readonly Readonly<Record<string, string>>[] = [
  ...['revenue', 'waterfall', 'movements', 'cash', 'credits', 'receivables', 'trial_balance', 'dso'].map((query_type) => ({
    query_type,
    ...RANGE,
  })),
  { query_type: 'revenue', ...RANGE, known_at: '2025-06-05', spread: 'month' },
]

/** Changes that the books of Lago show. */
const CHANGES: readonly (readonly [name: string, statement: string])[] = [
  [
    'a refund of a credit note is done',
    `update credit_notes set refund_status = 1, refund_amount_cents = refund_amount_cents + 100, refunded_at = '2025-06-25', updated_at = now()
      where id = (select min(id::text)::uuid from credit_notes)`,
  ],
  [
    'a credit note, with its item',
    `with note as (insert into credit_notes select (jsonb_populate_record(known, '{"id": "c0000000-0000-4000-8000-000000000001",
        "created_at": "2025-06-26", "refund_amount_cents": 0, "refund_status": null, "refunded_at": null, "credit_amount_cents": 500,
        "offset_amount_cents": 0, "number": "another"}')).* from credit_notes as known where status = 1 order by id limit 1 returning id, invoice_id)
      insert into credit_note_items select 'c0000000-0000-4000-8000-000000000002', known.organization_id, note.id,
        (select fee.id from fees as fee where fee.invoice_id = note.invoice_id order by fee.id limit 1), 500, known.amount_currency, now(), now()
      from note, (select * from credit_note_items order by id limit 1) as known`,
  ],
  [
    'the item of a credit note is that of another fee',
    `with other as (select item.id, max(fee.id::text)::uuid as fee_id
        from credit_note_items as item
        join credit_notes as note on note.id = item.credit_note_id
        join fees as fee on fee.invoice_id = note.invoice_id and fee.id <> item.fee_id
        group by item.id order by item.id limit 1)
      update credit_note_items as item set fee_id = other.fee_id from other where other.id = item.id`,
  ],
  [
    'credit of a wallet is used',
    `update invoices set prepaid_credit_amount_cents = prepaid_credit_amount_cents + 700 where number = 'disputed'`,
  ],
  [
    'credit of a wallet that was given for nothing',
    `update invoices set prepaid_granted_credit_amount_cents = 300 where number = 'disputed'`,
  ],
  [
    'a wallet is filled',
    `update fees set amount_cents = amount_cents + 900 where id = (select min(id::text)::uuid from fees where fee_type = 3)`,
  ],
  [
    'a coupon',
    `update fees set precise_coupons_amount_cents = precise_coupons_amount_cents + 250.5
      where id = (select min(id::text)::uuid from fees where fee_type = 2)`,
  ],
  ['an invoice is due later', `update invoices set payment_due_date = payment_due_date + 20 where number = 'progressive'`],
  [
    'a fee of an invoice is removed',
    `update fees set deleted_at = now() where id = (select max(id::text)::uuid from fees where fee_type = 1)`,
  ],
  [
    'a payment has another day',
    `update payments set created_at = created_at + interval '1 month', updated_at = updated_at + interval '1 month'
    where id = (select min(id::text)::uuid from payments where payable_type = 'Invoice' and payable_payment_status::text = 'succeeded')`,
  ],
  ['an invoice is void', `update invoices set status = 2, voided_at = '2025-06-28' where number = 'advance'`],
]

onPostgres('a cache and books that Lago goes on to write', (target) => {
  let database: TestDatabase
  let role: RestrictedRole
  let direct: Engine
  let cached: Engine
  let cache: CountedCache
  beforeAll(async () => {
    database = await target.createDatabase()
    await fillLedgerOfLago(database)
    role = await createRole(database, lagoGrants)
    const options = { now: NOW, rates: 'date,from,to,rate\n', settings: { url: role.url } }
    direct = await lagoEngine(database, options)
    cached = await lagoEngine(database, { ...options, onCache: (made) => (cache = made) })
    await cache.ready()
  }, 300_000)
  afterAll(async () => {
    await cached.close()
    await direct.close()
    await role.drop()
  })

  /** All statements and the open invoices as text, the same from both. The cache answers each time. */
  const both = async (what: string): Promise<string> => {
    const answers: unknown[] = []
    for (const params of QUESTIONS) {
      const answered = cache.answered()
      const wanted = (await direct.query('ledger', params)).data
      expect((await cached.query('ledger', params)).data, `${what}: ${JSON.stringify(params)}`).toEqual(wanted)
      expect(cache.answered(), JSON.stringify(params)).toBeGreaterThan(answered)
      answers.push(wanted)
    }
    for (const [list, params] of [
      ['open_invoices', { at: '2025-06-30' }],
      ['schedule', { subscription_id: workedId('subscription of A') }],
    ] as const) {
      const { rows } = (await direct.ledgerList(list, params)).data as { readonly rows: unknown }
      expect((await cached.ledgerList(list, params)).data, `${what}: ${list}`).toMatchObject({ rows })
      answers.push(rows)
    }
    return JSON.stringify(answers)
  }

  let before = ''
  it('answers as the database before a change', async () => {
    before = await both('before')
  })

  it.each(CHANGES)('answers as the database after a change: %s', async (name, statement) => {
    await database.adminQuery(statement)
    const after = await both(name)
    expect(after).not.toBe(before)
    before = after
    expect(cache.failures()).toEqual([])
  })
})
