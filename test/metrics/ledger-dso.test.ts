import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Invoice, invoiceId, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>

const LOWERED = '00000030-0000-4000-8000-300000000006'

const INVOICES: readonly Invoice[] = [
  { account: 1, on: '2025-01-01', items: [{ type: 'EXTERNAL_CHARGE', amount: '100.00' }], paid: [['2025-01-11', '100.00']] },
  {
    account: 1,
    on: '2025-02-01',
    items: [
      { type: 'EXTERNAL_CHARGE', amount: '200.00' },
      { type: 'TAX', amount: '20.00' },
    ],
    paid: [
      ['2025-02-11', '50.00'],
      ['2025-03-03', '170.00'],
    ],
  },
  { account: 1, on: '2025-03-01', items: [{ type: 'EXTERNAL_CHARGE', amount: '300.00' }] },
  // Written off before it was paid, and void: not paid.
  {
    account: 1,
    on: '2025-03-05',
    items: [{ type: 'EXTERNAL_CHARGE', amount: '40.00' }],
    written_off: ['2025-03-10'],
    paid: [['2025-03-20', '40.00']],
  },
  { account: 1, on: '2025-03-06', voided: '2025-03-16', items: [{ type: 'EXTERNAL_CHARGE', amount: '60.00' }] },
  // The adjustment of the rest makes it paid. A refund later does not change that.
  {
    account: 1,
    on: '2025-03-07',
    items: [
      { id: LOWERED, type: 'EXTERNAL_CHARGE', amount: '80.00' },
      { type: 'ITEM_ADJ', amount: '-30.00', link: LOWERED, written: '2025-03-17' },
    ],
    paid: [['2025-03-12', '50.00']],
  },
  // Paid by credit: it weighs nothing.
  {
    account: 1,
    on: '2025-03-08',
    items: [
      { type: 'EXTERNAL_CHARGE', amount: '70.00' },
      { type: 'CBA_ADJ', amount: '-70.00' },
    ],
  },
  { account: 2, on: '2025-03-02', items: [{ type: 'EXTERNAL_CHARGE', amount: '100.00' }], paid: [['2025-03-22', '100.00']] },
]

oneEngineInRotation('days sales outstanding worked out by hand (R29)', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'USD' }, { currency: 'EUR' }], INVOICES))
    const store = await ratesOnly(
      'date,from,to,rate\n2025-01-01,EUR,USD,1.10\n2025-03-01,EUR,USD,1.20\n2025-03-20,EUR,USD,1.20\n',
    )
    engine = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z'), store })
  })
  const ask = async (params: Row, currency?: string) => {
    const spec = currency === undefined ? {} : { dimensions: ['currency'], filters: { currency } }
    const { data } = await engine.query('ledger', { query_type: 'dso', ...params }, spec)
    return [data].flat() as Row[]
  }

  it('is receivables over the billings of 90 days, times 90', async () => {
    expect(await ask({ at: '2025-03-31' }, 'USD')).toEqual([
      { currency: 'USD', dso: 34.62, collection_period: 21.89, receivables: 30000, billings: 78000, paid: 37000 },
    ])
    // A day later, the first invoice is no longer billed in the 90 days. It is still paid in them.
    expect(await ask({ at: '2025-04-01' }, 'USD')).toEqual([
      { currency: 'USD', dso: 39.71, collection_period: 21.89, receivables: 30000, billings: 68000, paid: 37000 },
    ])
    expect(await ask({ at: '2025-03-31' }, 'EUR')).toEqual([
      { currency: 'EUR', dso: 0, collection_period: 20, receivables: 0, billings: 10000, paid: 10000 },
    ])
  })

  it('is computed from sums in base currency (R24)', async () => {
    expect(await ask({ at: '2025-03-31' })).toEqual([
      { dso: 30, collection_period: 21.43, receivables: 30000, billings: 90000, paid: 49000 },
    ])
  })

  it('is null without billings', async () => {
    expect(await ask({ at: '2024-12-31' })).toEqual([
      { dso: null, collection_period: null, receivables: 0, billings: 0, paid: 0 },
    ])
  })

  it('has a row for each period, and knows what a past day knew (R18, R22)', async () => {
    const range = { start: '2025-01-01', end: '2025-03-31' }
    const names = ['dso', 'collection_period', 'receivables', 'billings', 'paid']
    const rows = (await ask(range, 'USD')).map((row) => names.map((name) => row[name]))
    expect(rows).toEqual([
      [0, 10, 0, 10000, 10000],
      [47.81, 10, 17000, 32000, 10000],
      [34.62, 21.89, 30000, 78000, 37000],
    ])
    expect(await ask({ at: '2025-02-28', known_at: '2025-02-28' }, 'USD')).toEqual(await ask({ at: '2025-02-28' }, 'USD'))
  })

  it('has the invoices behind its sums', async () => {
    const documents = async (measure: string) => {
      const cell = { query_type: 'dso', at: '2025-03-31', measure, group: ['currency=USD'] }
      const { sum, rows } = (await engine.metricRows('ledger', cell, { dimensions: ['currency'] })).data as {
        sum: number
        rows: readonly Row[]
      }
      return [sum, rows.map((row) => row['document_id']).sort()]
    }
    expect(await documents('receivables')).toEqual([30000, [invoiceId(3)]])
    expect(await documents('billings')).toEqual([78000, [1, 2, 3, 4, 6, 7].map(invoiceId)])
    expect(await documents('paid')).toEqual([37000, [1, 2, 6].map(invoiceId)])
  })
})
