import { beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { engineOver, ratesOnly } from '../support/product/recorded-engine.ts'

type Cells = Readonly<Record<string, unknown>>
/** Day, kind and phase of an event. */
type Event = readonly [day: string, kind: string, phase?: string]

interface Life {
  readonly account: number
  readonly events: readonly Event[]
  readonly bundle?: string
  readonly start?: string
}

const LIVES: Readonly<Record<string, Life>> = {
  cancelled: {
    account: 1,
    events: [
      ['2025-01-05', 'CREATE', 'pro-trial'],
      ['2025-01-12', 'CANCEL'],
    ],
  },
  'cancelled at its planned end': {
    account: 1,
    events: [
      ['2025-01-07', 'CREATE', 'pro-trial'],
      ['2025-01-21', 'PHASE', 'pro-evergreen'],
      ['2025-01-21', 'CANCEL'],
    ],
  },
  'changed to a free plan': {
    account: 1,
    events: [
      ['2025-01-06', 'CREATE', 'pro-trial'],
      ['2025-01-10', 'CHANGE', 'free-evergreen'],
    ],
  },
  'converted in the next month': {
    account: 2,
    events: [
      ['2025-01-31', 'CREATE', 'pro-trial'],
      ['2025-02-14', 'PHASE', 'pro-evergreen'],
    ],
  },
  'changed its plan inside the trial': {
    account: 2,
    events: [
      ['2025-01-28', 'CREATE', 'pro-trial'],
      ['2025-02-01', 'CHANGE', 'team-trial'],
      ['2025-02-15', 'PHASE', 'team-evergreen'],
    ],
  },
  'still running': {
    account: 2,
    events: [
      ['2025-02-10', 'CREATE', 'team-trial'],
      ['2025-02-24', 'PHASE', 'team-evergreen'],
    ],
  },
  'blocked at its planned end': {
    account: 1,
    events: [
      ['2025-02-01', 'CREATE', 'team-trial'],
      ['2025-02-15', 'PHASE', 'team-evergreen'],
    ],
  },
  'a trial after activation': {
    account: 1,
    events: [
      ['2025-01-03', 'CREATE', 'free-evergreen'],
      ['2025-01-20', 'CHANGE', 'pro-trial'],
    ],
  },
  'given away': { account: 1, bundle: 'kbtsf-1:moved', events: [['2025-01-15', 'CREATE', 'pro-trial']] },
  received: { account: 2, bundle: 'moved', start: '2025-01-15', events: [['2025-02-03', 'TRANSFER', 'pro-trial']] },
  'of a test account': { account: 3, events: [['2025-01-05', 'CREATE', 'pro-trial']] },
}

everyEngine('trials: traps', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await fillDatabase(target, tables())
    const store = await ratesOnly('date,from,to,rate\n')
    engine = await engineOver(database, { now: new Date('2025-02-20T00:00:00Z'), store })
  })
  const ask = async (params: Cells, spec: Cells = {}): Promise<unknown> => (await engine.query('trials', params, spec)).data
  const JANUARY = { query_type: 'funnel', start: '2025-01-01', end: '2025-01-31' }
  const FEBRUARY = { query_type: 'funnel', start: '2025-02-01', end: '2025-02-28' }
  const outcomes = async (range: Cells): Promise<unknown> => {
    const rows = (await ask(range, { dimensions: ['bundle_id'] })) as Record<string, unknown>[]
    const outcome = (row: Record<string, unknown>) => ['converted', 'expired', 'pending'].filter((name) => row[name] === 1).join()
    return Object.fromEntries(rows.map((row) => [row['bundle_id'], outcome(row)]))
  }

  it('each trial counts once, with its outcome, in the month of its start (D56, D57)', async () => {
    expect(await outcomes(JANUARY)).toEqual({
      cancelled: 'expired',
      'cancelled at its planned end': 'expired',
      'changed to a free plan': 'converted',
      'converted in the next month': 'converted',
      'changed its plan inside the trial': 'converted',
      received: 'pending',
    })
    expect(await outcomes(FEBRUARY)).toEqual({ 'still running': 'pending', 'blocked at its planned end': 'pending' })
  })

  it('the parts add up, nobody paid anything (I13)', async () => {
    expect(await ask(JANUARY)).toEqual({
      started: 6,
      converted: 3,
      expired: 2,
      pending: 1,
      conversion_rate: 0.5,
      decided_conversion_rate: 0.6,
    })
    expect(await ask(FEBRUARY)).toEqual({
      started: 2,
      converted: 0,
      expired: 0,
      pending: 2,
      conversion_rate: 0,
      decided_conversion_rate: null,
    })
    expect(await ask({ query_type: 'series', start: '2025-01-01', end: '2025-02-28', interval: 'quarter' })).toEqual([
      {
        period: '2025-01-01',
        started: 8,
        converted: 3,
        expired: 2,
        pending: 3,
        conversion_rate: 0.375,
        decided_conversion_rate: 0.6,
        is_partial: true,
      },
    ])
  })

  it('plan and price list are those of the begin (D61)', async () => {
    expect(await ask(JANUARY, { dimensions: ['plan_id', 'price_list'] })).toEqual([
      {
        plan_id: 'pro',
        price_list: 'DEFAULT',
        started: 6,
        converted: 3,
        expired: 2,
        pending: 1,
        conversion_rate: 0.5,
        decided_conversion_rate: 0.6,
      },
    ])
    expect(await ask({ ...JANUARY, end: '2025-02-28', query_type: 'conversion_rate' }, { filters: { plan_id: 'team' } })).toBe(0)
  })

  it('null is a separate country, and trials in two currencies need no rate', async () => {
    expect(await ask(JANUARY, { dimensions: ['customer_country'] })).toEqual([
      {
        customer_country: 'DE',
        started: 3,
        converted: 1,
        expired: 2,
        pending: 0,
        conversion_rate: 0.333333,
        decided_conversion_rate: 0.333333,
      },
      {
        customer_country: null,
        started: 3,
        converted: 2,
        expired: 0,
        pending: 1,
        conversion_rate: 0.666667,
        decided_conversion_rate: 1,
      },
    ])
    const nowhere = { filters: { customer_country: { is_empty: true } } }
    expect(await ask({ ...JANUARY, query_type: 'conversion_rate' }, nowhere)).toBe(0.666667)
  })

  it('the tenure of a received trial is that at the transfer (D57, D61)', async () => {
    const rows = (await ask(JANUARY, { dimensions: ['tenure_months'], filters: { bundle_id: 'received' } })) as Cells[]
    expect(rows.map((row) => row['tenure_months'])).toEqual([2])
  })
})

function tables(): Record<string, readonly Cells[]> {
  const names = Object.keys(LIVES)
  const rowsOf = (make: (life: Life, name: string) => readonly Cells[]) =>
    names.flatMap((name) => make(LIVES[name] as Life, name).map((row) => ({ account_record_id: LIVES[name]?.account, ...row })))
  const trial = phaseXml('TRIAL', { unit: 'DAYS', number: 14 })
  const monthly = phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '30', EUR: '20' } })
  const plans = [
    planXml('pro', { initial: trial, final: monthly }),
    planXml('team', { initial: trial, final: monthly }),
    planXml('free', { final: phaseXml('EVERGREEN', {}) }),
  ]
  return {
    tenants: [{ record_id: 1, external_key: 'one', api_key: 'one' }],
    tenant_kvs: [{ tenant_value: catalogXml({ plans: plans.join('') }) }],
    accounts: [
      { record_id: 1, external_key: 'A', country: 'DE', currency: 'USD' },
      { record_id: 2, external_key: 'B', currency: 'EUR', created_date: '2024-12-03 00:00:00' },
      { record_id: 3, id: 'T', external_key: 'T' },
    ],
    tags: [{ object_id: 'T', object_type: 'ACCOUNT', tag_definition_id: '00000000-0000-0000-0000-000000000006' }],
    bundles: rowsOf(({ bundle }, name) => [{ id: name, external_key: bundle ?? name, account_id: 'x' }]),
    subscriptions: rowsOf(({ start, events }, name) => [
      { id: name, bundle_id: name, start_date: `${start ?? events[0]?.[0]} 00:00:00` },
    ]),
    subscription_events: rowsOf(({ events }, name) =>
      events.map(([day, kind, phase]) => ({
        subscription_id: name,
        event_type: kind === 'PHASE' ? 'PHASE' : 'API_USER',
        user_type: kind === 'PHASE' ? null : kind,
        effective_date: `${day} 00:00:00`,
        phase_name: phase ?? null,
        plan_name: phase?.replace(/-[a-z]+$/, '') ?? null,
        price_list_name: phase === undefined ? null : 'DEFAULT',
        quantity: 0,
      })),
    ),
    blocking_states: [
      {
        blockable_id: 'blocked at its planned end',
        state: 'STOP',
        block_billing: true,
        effective_date: '2025-02-10 00:00:00',
        account_record_id: 1,
      },
    ],
  }
}
