import { beforeAll, expect, it } from 'vitest'
import type { SetOptions } from '../../src/core/definitions.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { type Invoice, ledgerRows } from '../support/data/ledger-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Record<string, string | number | null>
type Params = Readonly<Record<string, unknown>>

const USAGE = '00000030-0000-4000-8000-100000000003'

/** A quarter in advance, usage that is invoiced after its month, a set-up price with a phase, and an invoice that is recovered after ten days. */
const INVOICES: readonly Invoice[] = [
  { account: 1, on: '2025-01-15', items: [{ type: 'RECURRING', amount: '120.00', days: ['2025-01-15', '2025-04-15'] }] },
  { account: 1, on: '2025-02-20', items: [{ id: USAGE, type: 'USAGE', amount: '31.00', days: ['2025-01-20', '2025-02-20'] }] },
  { account: 1, on: '2025-03-01', items: [{ type: 'FIXED', amount: '60.00', days: ['2025-03-01', '2025-05-30'] }] },
  {
    account: 1,
    on: '2025-03-05',
    items: [{ type: 'EXTERNAL_CHARGE', amount: '10.00' }],
    tried: [
      ['2025-03-05', '10.00', 'PAYMENT_FAILURE', 'do_not_honor'],
      ['2025-03-15', '10.00', 'SUCCESS'],
    ],
  },
]

const SETS = {
  monthly: { spread: 'month' },
  phased: { one_off: 'over_period' },
  invoiced: { unbilled: 'on_invoice' },
  terms: { net_terms: 30 },
  aged: { buckets: '10,45' },
  hasty: { recovery_window: 9 },
} as const satisfies Readonly<Record<string, SetOptions>>

const QUARTER = { start: '2025-01-01', end: '2025-03-31', interval: 'month' }
const REVENUE = { query_type: 'revenue', ...QUARTER }
const AGES = { query_type: 'receivables', at: '2025-03-31' }
const COLLECTIONS = { query_type: 'collections', ...QUARTER }

/** The question that each set changes, the parameter that says the same, and one that says the default. */
const CASES = [
  ['monthly', REVENUE, { spread: 'month' }, { spread: 'day' }],
  ['phased', REVENUE, { one_off: 'over_period' }, { one_off: 'at_once' }],
  ['invoiced', REVENUE, { unbilled: 'on_invoice' }, { unbilled: 'accrue' }],
  ['terms', AGES, { net_terms: 30 }, { net_terms: 0 }],
  ['aged', AGES, { buckets: '10,45' }, { buckets: '30,60,90' }],
  ['hasty', COLLECTIONS, { recovery_window: 9 }, { recovery_window: 30 }],
] as const

oneEngineInRotation('the options of the ledger in definition sets (D98)', (target) => {
  let engine: Engine
  let configured: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, ledgerRows([{ currency: 'USD' }], INVOICES))
    const now = new Date('2025-07-05T00:00:00Z')
    engine = await engineOver(database, { now, sets: SETS })
    configured = await engineOver(database, {
      now,
      definitions: { net_terms: 30, spread: 'month' },
      sets: { none: { net_terms: 0 } },
    })
  })
  const ask = async (params: Params, over: Engine = engine) => (await over.query('ledger', params)).data as Row[]

  it.each(CASES)(
    '%s: a set answers as the parameter does, a parameter wins, and the answer is another one',
    async (set, asked, own, usual) => {
      const plain = await ask(asked)
      const under = await ask({ ...asked, definitions: set })
      expect(under).not.toEqual(plain)
      expect(under).toEqual(await ask({ ...asked, ...own }))
      expect(await ask({ ...asked, definitions: set, ...usual })).toEqual(plain)
      const hashes = await Promise.all([engine.query('ledger', asked), engine.query('ledger', { ...asked, definitions: set })])
      expect(hashes[0].meta.definitions).not.toBe(hashes[1].meta.definitions)
    },
  )

  it('has the numbers of the rule', async () => {
    const recognized = async (definitions: string) => (await ask({ ...REVENUE, definitions })).map((row) => row['recognized'])
    // 17, 28 and 31 of 90 days of 120.00, 12 and 19 days of usage, 60.00 and 10.00 in March.
    expect(await recognized('default')).toEqual([2267 + 1200, 3733 + 1900, 4133 + 6000 + 1000])
    expect(await recognized('monthly')).toEqual([4000 + 3100, 4000, 4000 + 6000 + 1000])
    expect(await recognized('phased')).toEqual([3467, 5633, 4133 + 2067 + 1000])
    expect(await recognized('invoiced')).toEqual([2267, 3733 + 3100, 11133])
    const ages = async (definitions: string) =>
      (await ask({ ...AGES, definitions })).map(({ age, balance }) => [age, balance]).filter(([, balance]) => balance !== 0)
    expect(await ages('default')).toEqual([
      ['1-30', 6000],
      ['31-60', 3100],
      ['61-90', 12000],
    ])
    expect(await ages('terms')).toEqual([
      ['current', 6000],
      ['1-30', 3100],
      ['31-60', 12000],
    ])
    expect(await ages('aged')).toEqual([
      ['11-45', 9100],
      ['over-45', 12000],
    ])
    const recovered = async (definitions: string) => (await ask({ ...COLLECTIONS, definitions })).map((row) => row['recovered'])
    expect([await recovered('default'), await recovered('hasty')]).toEqual([
      [0, 0, 1],
      [0, 0, 0],
    ])
  })

  it('are those of the configuration without a set', async () => {
    expect(await ask(AGES, configured)).toEqual(await ask({ ...AGES, net_terms: 30 }))
    expect(await ask(REVENUE, configured)).toEqual(await ask({ ...REVENUE, spread: 'month' }))
    expect(await ask({ ...AGES, definitions: 'none' }, configured)).toEqual(await ask(AGES))
    expect(await ask({ ...AGES, definitions: 'plumbline' }, configured)).toEqual(await ask(AGES))
    const shown = Object.fromEntries((await configured.definitions()).options.map(({ key, value }) => [key, value]))
    expect(shown).toMatchObject({ net_terms: 30, spread: 'month', buckets: '30,60,90', recovery_window: 30 })
    expect((await configured.definitions('none')).hash).not.toBe((await configured.definitions()).hash)
  })

  it('hold for rows, lists and the journal', async () => {
    const cell = { ...REVENUE, period: '2025-03-01', measure: 'recognized' }
    const rows = async (params: Params) =>
      (await engine.metricRows('ledger', { ...cell, ...params })).data as { readonly sum: number }
    expect((await rows({ definitions: 'monthly' })).sum).toBe(11000)
    const open = async (params: Params) =>
      ((await engine.ledgerList('open_invoices', { at: '2025-03-31', ...params })).data as { readonly rows: readonly Row[] }).rows
    expect((await open({ definitions: 'aged', age: 'over-45' })).map((row) => [row['age'], row['balance_cents']])).toEqual([
      ['over-45', 12000],
    ])
    expect((await open({ definitions: 'terms' })).map((row) => row['due_on'])).toEqual(['2025-02-14', '2025-03-22', '2025-03-31'])
    const journal = async (params: Params) =>
      (await engine.ledgerList('journal', { start: '2025-01-01', end: '2025-01-31', ...params })).data as Row[]
    const unbilled = (lines: readonly Row[]) => lines.filter(({ account }) => account === 'unbilled_receivables').length
    expect([unbilled(await journal({})), unbilled(await journal({ definitions: 'invoiced' }))]).toEqual([1, 0])
    const schedule = async (params: Params) => {
      const { data } = await engine.ledgerList('schedule', { invoice_id: '00000020-0000-4000-8000-000000000001', ...params })
      return (data as { readonly rows: readonly Row[] }).rows.map((row) => row['recognized_cents'])
    }
    expect(await schedule({})).toEqual([2267, 3733, 4133, 1867])
    expect(await schedule({ definitions: 'monthly' })).toEqual([4000, 4000, 4000])
    const kept = async (params: Params) => {
      const { data } = await engine.ledgerList('schedule', { invoice_id: '00000020-0000-4000-8000-000000000001', ...params })
      return (data as { readonly versions: readonly { readonly kept: readonly unknown[] }[] }).versions.map((one) => one.kept)
    }
    expect(await kept({})).toEqual([[{ starts_on: '2025-01-15', ends_on: '2025-04-15' }]])
    // A month is one step, so its days are no stretch of service.
    expect([await kept({ definitions: 'monthly' }), await kept({ spread: 'month' })]).toEqual([[[]], [[]]])
  })

  it('refuse a parameter that the query does not take', async () => {
    await expect(engine.query('ledger', { ...AGES, spread: 'month' })).rejects.toMatchObject({ code: 'invalid_value' })
    await expect(engine.query('mrr', { net_terms: 30 })).rejects.toMatchObject({ code: 'invalid_value' })
  })
})
