import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import type { Blocking } from '../support/data/scenario-tables.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { Target, TestDatabase } from '../support/databases/test-database.ts'
import { directAndCached } from '../support/product/direct-and-cached.ts'
import { groupedBy } from '../support/product/grouped-by.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'
import { trapDatabase } from '../support/product/trap-engines.ts'

type Row = Record<string, string | number | null>

const CHURNED = '2026-01-20'

/** Customers by what happened before they churned on 20 January: day of an invoice of 30.00, and its attempts. */
const INVOICED: Readonly<
  Record<string, readonly [issued: string, ...attempts: readonly (readonly [day: string, status: string])[]]>
> = {
  failed: ['2026-01-01', ['2026-01-01', 'PAYMENT_FAILURE']],
  'failed twice': ['2026-01-01', ['2026-01-01', 'PAYMENT_FAILURE'], ['2026-01-25', 'PAYMENT_FAILURE']],
  'paid after the churn': ['2026-01-01', ['2026-01-01', 'PLUGIN_FAILURE'], ['2026-01-22', 'SUCCESS']],
  'paid before': ['2026-01-01', ['2026-01-01', 'PAYMENT_FAILURE'], ['2026-01-10', 'SUCCESS']],
  'paid otherwise': ['2026-01-01', ['2026-01-01', 'PAYMENT_FAILURE']],
  'due on that day': ['2026-01-20', ['2026-01-20', 'PAYMENT_FAILURE']],
  'not answered': ['2026-01-01', ['2026-01-01', 'PENDING']],
}

const BLOCKS: readonly Blocking[] = [
  ['account overdue', 'overdue-service', '2026-01-15', false, 'OD1'],
  ['account cleared', 'overdue-service', '2026-01-10', false, 'OD1'],
  ['account cleared', 'overdue-service', '2026-01-18', false, '__KILLBILL__CLEAR__OVERDUE_STATE__'],
  ['account stopped', 'overdue-service', '2026-01-16', true, 'OD2'],
]

const OTHERS = ['overdue', 'cleared', 'stopped', 'small', 'stays']

async function databaseOf(target: Target): Promise<TestDatabase> {
  const names = [...Object.keys(INVOICED), ...OTHERS]
  const subscriptions = Object.fromEntries(
    names.map((name) => {
      const plan = name === 'small' ? 'silver' : 'gold'
      const isLeft = !['stopped', 'stays'].includes(name)
      return [name, { account: name, ...held(plan, '2025-12-01', isLeft ? CHURNED : undefined) }]
    }),
  )
  const invoices = Object.fromEntries(
    Object.entries(INVOICED).map(([name, [created, ...attempts]]) => {
      const success = attempts.find(([, status]) => status === 'SUCCESS')
      const [day = ''] = success ?? attempts.at(-1) ?? []
      const named = { type: 'ATTEMPT', payment_id: `payment ${name}` }
      const attempt = success === undefined ? ([day, '0', { ...named, status: 'INIT' }] as const) : ([day, '30', named] as const)
      const other = name === 'paid otherwise' ? ([['2026-01-12', '30', { type: 'ATTEMPT' }]] as const) : []
      const items = [['RECURRING', '30', { subscription_id: name, start_date: created }]] as const
      return [
        `invoice ${name}`,
        { account: name, created, items, cells: { invoice_date: created }, payments: [attempt, ...other] },
      ]
    }),
  )
  const accounts = Object.fromEntries(names.map((name) => [name, {}]))
  const database = await trapDatabase(target, { all: trap({ accounts, subscriptions, blocks: BLOCKS, invoices }) })
  await insertRows(
    database,
    'payments',
    Object.keys(INVOICED).map((name) => ({ id: `payment ${name}`, account_id: name, payment_method_id: 'card' })),
  )
  await insertRows(
    database,
    'payment_transactions',
    Object.entries(INVOICED).flatMap(([name, [, ...attempts]]) =>
      attempts.map(([day, transaction_status]) => ({
        payment_id: `payment ${name}`,
        transaction_type: 'PURCHASE',
        transaction_status,
        effective_date: `${day} 00:00:00`,
        amount: '30',
      })),
    ),
  )
  return database
}

const JANUARY = { start: '2026-01-01', end: '2026-01-31' }

oneEngineInRotation('involuntary churn worked out by hand (R28)', (target) => {
  let engine: Engine
  let database: TestDatabase
  beforeAll(async () => {
    database = await databaseOf(target)
    engine = await engineOver(database, {
      tenant: ['all'],
      now: new Date('2026-03-01T00:00:00Z'),
      store: await ratesOnly('date,from,to,rate\n'),
    })
  })
  const ask = async (query_type: string, params: Row = {}, dimensions: readonly string[] = ['source']) => {
    const { data, meta } = await engine.query('involuntary_churn', { query_type, ...JANUARY, ...params }, groupedBy(dimensions))
    expect(meta.warnings.map(({ code }) => code)).toContain('inferred')
    return data as Row[]
  }
  const LOGO = { source: 'killbill', involuntary_share: 0.4, involuntary_count: 4, churn_count: 10 }
  const REVENUE = { source: 'killbill', involuntary_mrr_share: 0.483871, involuntary_lost: 15000, revenue_lost: 31000 }

  it('is that of customers that were overdue, or whose last payment had failed', async () => {
    expect(await ask('logo')).toEqual([LOGO])
    // A service that was stopped loses its MRR, and no customer.
    expect(await ask('revenue')).toEqual([REVENUE])
    expect(await ask('logo', {}, [])).toBe(LOGO.involuntary_share)
  })

  it('has the customers and movements behind it, each with its cause', async () => {
    const behind = async (query_type: string, measure: string) => {
      const { data } = await engine.metricRows('involuntary_churn', { query_type, ...JANUARY, measure })
      return (data as unknown as { rows: readonly Row[] }).rows
        .map((row) => `${String(row['customer_id']).slice(2)}: ${row['reason']}`)
        .sort()
    }
    const customers = [
      'failed twice: failed_payment',
      'failed: failed_payment',
      'overdue: overdue',
      'paid after the churn: failed_payment',
    ]
    expect(await behind('logo', 'involuntary_count')).toEqual(customers.toSorted())
    expect(await behind('revenue', 'involuntary_lost')).toEqual([...customers, 'stopped: overdue'].toSorted())
    expect(await behind('logo', 'churn_count')).toHaveLength(10)
  })

  it('knows the terms of payment', async () => {
    // Due on 20 and 19 January: only the latter is past due.
    expect(await ask('logo', { net_terms: 19 })).toMatchObject([{ involuntary_count: 1 }])
    expect(await ask('logo', { net_terms: 18 })).toMatchObject([{ involuntary_count: 4 }])
  })

  it('has groups of customers and plans, and a row for each period', async () => {
    const plans = await ask('revenue', {}, ['plan_id'])
    expect(plans.map((row) => [row['plan_id'], row['involuntary_lost'], row['revenue_lost']])).toEqual([
      ['gold', 15000, 30000],
      ['silver', 0, 1000],
    ])
    const months = await ask('logo', { end: '2026-02-28', granularity: 'month' }, [])
    expect(months.map((row) => [row['period'], row['involuntary_count'], row['involuntary_share']])).toEqual([
      ['2026-01-01', 4, 0.4],
      ['2026-02-01', 0, null],
    ])
    await expect(ask('logo', {}, ['currency'])).rejects.toMatchObject({ code: 'unknown_dimension' })
  })

  it('is asked of the replica beside a cache', async () => {
    const { cached } = await directAndCached(database, () => '2026-03-01 00:00:00')
    const sources: string[] = []
    const asked = { query_type: 'logo', ...JANUARY }
    const { data } = await cached.engine.query('involuntary_churn', asked, groupedBy(['source']), {
      onOrigin: ({ source }) => sources.push(source),
    })
    expect([data, sources]).toEqual([[LOGO], ['replica']])
  })
})
