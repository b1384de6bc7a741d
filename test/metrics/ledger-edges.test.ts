import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Invoice, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>

const CHARGE = '00000030-0000-4000-8000-100000000001'
const INVOICES: readonly Invoice[] = [
  // Two thirds are taken off when a euro is worth twice as much: EUR 30.00 are left, and USD -30.00.
  {
    account: 1,
    on: '2025-01-01',
    items: [
      { id: CHARGE, type: 'RECURRING', amount: '90.00', days: ['2025-01-01', '2025-04-01'] },
      { type: 'ITEM_ADJ', amount: '-60.00', link: CHARGE, written: '2025-02-01' },
    ],
  },
  {
    account: 1,
    on: '2025-01-10',
    voided: '2025-01-10',
    items: [{ type: 'RECURRING', amount: '31.00', days: ['2025-01-10', '2025-02-10'] }],
  },
]

const RANGE = { start: '2025-01-01', end: '2025-03-31' }

oneEngineInRotation('rare cases of the ledger', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'EUR' }], INVOICES))
    const store = await ratesOnly('date,from,to,rate\n2025-01-01,EUR,USD,1\n2025-02-01,EUR,USD,2\n')
    engine = await engineOver(database, { now: new Date('2025-07-05T00:00:00Z'), store })
  })
  const ask = async (query_type: string, dimensions: readonly string[] = []) =>
    (await engine.query('ledger', { query_type, ...RANGE }, dimensions.length === 0 ? {} : { dimensions })).data as Row[]

  it('never defers less than nothing, also if only exchange rates take more off a charge than it was (R9, J3)', async () => {
    const shown = async (...dimensions: readonly string[]) =>
      (await ask('revenue', dimensions)).map(({ recognized, closing_deferred }) => [recognized, closing_deferred])
    expect(await shown('currency')).toEqual([
      [3100, 5900],
      [-1133, 1033],
      [1033, 0],
    ])
    expect(await shown()).toEqual([
      [3100, 5900],
      [-6100, 0],
      [0, 0],
    ])
  })

  it('books a charge in the waterfall that is voided on the day of its posting (R11)', async () => {
    expect((await ask('waterfall', ['currency'])).map(({ currency: _, ...row }) => row)).toEqual(
      [
        ['2025-01-01', 3100],
        ['2025-02-01', -1133],
        ['2025-03-01', 1033],
      ].map(([recognized_month, recognized]) => {
        return { booked_month: '2025-01-01', recognized_month, recognized, booked: 12_100, adjusted: -9100, remaining: 0 }
      }),
    )
  })
})
