import { expect, it } from 'vitest'
import type { DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { fixedClock } from '../../src/core/clock.ts'
import type { FxRate } from '../../src/core/currency.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Store } from '../../src/ports/store.ts'
import { exampleConnector, NOW, SPANS, span } from '../support/data/worked-example.ts'
import { dataOf, describeExample } from '../support/product/example-engine.ts'

const DAY_MS = 86_400_000
const RANGE = { start: '2025-03-01', end: '2025-05-31' }

async function refusal(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => new Error('the request was answered'),
    (thrown: unknown) => thrown,
  )
  if (error instanceof AppError) return error
  throw error
}

/** A store that fails the test when it is opened without need. */
function storeWith(rates: readonly FxRate[] | AppError): Store & { readonly asked: string[] } {
  const asked: string[] = []
  const answer = async (to: string) => {
    asked.push(to)
    if (rates instanceof AppError) throw rates
    return rates.filter((rate) => rate.to === to)
  }
  const fxRates = { ratesInto: answer, list: async () => [], upsert: async () => 0 }
  const open = async () => {
    if (rates instanceof AppError) throw rates
  }
  return {
    enabled: true,
    asked,
    fxRates,
    version: async () => 0,
    fingerprint: async () => '',
    ping: open,
    open,
    close: async () => {},
  }
}

const UNRATED = exampleConnector({ rates: [{ date: '2025-04-01', from: 'EUR', to: 'USD', rate: '1.20' }] })

const UNPRICED = [
  ...SPANS,
  span('S8', 1, '2025-02-10', '2025-03-15', null, { plan: 'legacy-gold', is_unpriced: true, end_reason: 'cancel' }),
]

describeExample('engine', (engineOf) => {
  it('an answer says what it is, what it is made of and how to lay it out', async () => {
    const plain = await engineOf().query('mrr', { at: '2025-05-31' })
    expect(plain).toEqual({
      data: 33433,
      kind: 'scalar',
      columns: ['mrr'],
      meta: {
        data_through: '2025-06-05T00:00:00.000Z',
        definitions: expect.stringMatching(/^[0-9a-f]{12}$/),
        warnings: [],
        base_currency: 'USD',
        fields: [
          {
            name: 'mrr',
            holds: 'amount',
            unit: 'money',
            adds: 'groups',
            label: 'MRR',
            description: expect.stringContaining('MRR'),
          },
        ],
        amounts: { unit: 'cents', currency: 'USD' },
        days: { start: '2025-05-31', end: '2025-05-31' },
      },
    })
    expect(await engineOf().query('mrr', { query_type: 'arr' })).toMatchObject({ kind: 'scalar', columns: ['arr'] })
    expect(await engineOf().query('mrr', { query_type: 'components' })).toMatchObject({
      kind: 'object',
      columns: ['subscription_mrr', 'usage_mrr', 'mrr'],
    })
    expect(await engineOf().query('mrr', RANGE)).toMatchObject({
      kind: 'rows',
      columns: ['period', 'mrr', 'amount_base', 'is_partial'],
    })
  })

  it('the definitions hash follows every option and nothing else', async () => {
    const hash = async (options: object) => (await engineOf({ options }).query('mrr')).meta.definitions
    expect(await hash({})).toBe(await hash({}))
    expect(await hash({ mrr_usage: 'off' })).not.toBe(await hash({}))
  })

  it('the base currency is the configured one, else the only one in use, else USD', async () => {
    const base = async (spans: typeof SPANS, base_currency?: string) => {
      const store = storeWith([{ date: '2020-01-01', from: 'EUR', to: 'GBP', rate: '1' }])
      const engine = engineOf({ connector: exampleConnector({ spans }), options: { base_currency } as object, store })
      return (await engine.query('mrr', {}, { dimensions: ['currency'] })).meta.base_currency
    }
    expect(await base(SPANS)).toBe('USD')
    expect(await base(SPANS.filter((row) => row['currency'] === 'EUR'))).toBe('EUR')
    expect(await base(SPANS, 'GBP')).toBe('GBP')
  })

  it('dates after today are answered as of now, and a range that begins after today is empty', async () => {
    const late = await engineOf().query('mrr', { at: '2026-01-01' })
    expect([late.data, late.meta.warnings.map((warning) => warning.code)]).toEqual([33433, ['future_clamped']])
    const future = { start: '2025-07-01', end: '2025-08-31' }
    expect(await dataOf(engineOf(), future)).toEqual([])
    expect(await dataOf(engineOf(), { query_type: 'waterfall', ...future })).toEqual([])
    expect(await dataOf(engineOf(), { query_type: 'breakdown', ...future })).toEqual(
      ['new', 'expansion', 'contraction', 'churn', 'reactivation'].map((movement_type) => ({
        movement_type,
        amount_base: 0,
        event_count: 0,
      })),
    )
  })

  it('at now, what happens in this second counts', async () => {
    const at = async (instant: string) => dataOf(engineOf({ clock: fixedClock(new Date(instant)) }), {})
    expect(await at('2025-05-24T11:59:59Z')).toBe(41333)
    expect(await at('2025-05-24T12:00:00Z')).toBe(33433)
  })

  it('a missing rate fails what needs it and names the first day', async () => {
    const engine = engineOf({ connector: UNRATED })
    const error = await refusal(engine.query('mrr', { at: '2025-03-31' }))
    expect(error.code).toBe('missing_fx_rate')
    const pairs = [{ from: 'EUR', to: 'USD', first_day: '2025-02-01', last_day: '2025-02-01', count: 1 }]
    expect(error.context).toEqual({ currency: 'EUR', base_currency: 'USD', date: '2025-02-01', count: 1, pairs })
    for (const query_type of ['series', 'waterfall', 'breakdown', 'arr', 'components']) {
      expect([query_type, (await refusal(engine.query('mrr', { query_type, ...RANGE }))).code]).toEqual([
        query_type,
        'missing_fx_rate',
      ])
    }
    const moving = { dimensions: ['tenure_months'] }
    expect((await refusal(engine.query('mrr', RANGE, moving))).code).toBe('missing_fx_rate')
  })

  it('and nothing that does not need it', async () => {
    const engine = engineOf({ connector: UNRATED })
    expect(await dataOf(engine, { at: '2025-05-31' })).toBe(33433)
    expect(await dataOf(engine, { at: '2025-03-31' }, { filters: { currency: 'USD' } })).toBe(17983)
    expect(await dataOf(engine, { at: '2025-03-31' }, { filters: { movement_source: 'usage' } })).toBe(750)
    expect(await dataOf(engine, { at: '2025-03-31' }, { dimensions: ['currency'] })).toContainEqual({
      currency: 'EUR',
      mrr: 10000,
    })
    const band = engine.query('mrr', { at: '2025-03-31' }, { dimensions: ['currency'], filters: { mrr_band: '<$100' } })
    expect((await refusal(band)).code).toBe('missing_fx_rate')
  })

  it('the store is asked for rates only when a rate is needed', async () => {
    const store = storeWith([])
    const engine = engineOf({ store })
    await engine.query('mrr', {}, { dimensions: ['currency'] })
    expect(store.asked).toEqual([])
    await engine.query('mrr')
    expect(store.asked).toEqual(['USD'])
    await engineOf({ store, connector: exampleConnector({ spans: SPANS.filter((row) => row['currency'] === 'USD') }) }).query(
      'mrr',
    )
    expect(store.asked).toEqual(['USD'])
  })

  it('a store that is down fails what needs rates, and nothing else', async () => {
    const engine = engineOf({ store: storeWith(new AppError('connector_unavailable', 'held by process 1')) })
    expect((await refusal(engine.query('mrr'))).code).toBe('connector_unavailable')
    expect(await dataOf(engine, { at: '2025-05-31' }, { dimensions: ['currency'] })).toHaveLength(2)
  })

  it('an unknown price fails with the plans that lack one', async () => {
    const engine = engineOf({ connector: exampleConnector({ spans: UNPRICED }) })
    for (const params of [
      { at: '2025-02-28' },
      { query_type: 'series', start: '2025-02-01', end: '2025-02-28' },
      { query_type: 'waterfall', ...RANGE },
      { query_type: 'breakdown', ...RANGE },
    ]) {
      const error = await refusal(engine.query('mrr', params))
      expect([params, error.code, error.context]).toEqual([
        params,
        'unpriced_plan',
        { plans: [{ plan_id: 'legacy-gold', currency: 'USD', count: 1 }] },
      ])
    }
    expect(await dataOf(engine, { at: '2025-05-31' })).toBe(33433)
    expect(await dataOf(engine, { at: '2025-02-28' }, { filters: { customer_id: 'B' } })).toBe(2900)
    for (const dimensions of [['plan_id'], ['customer_country', 'currency'], ['movement_type']])
      for (const params of [
        { query_type: 'breakdown', ...RANGE },
        ...(dimensions[0] === 'movement_type' ? [] : [{ at: '2025-02-28' }]),
      ])
        expect((await refusal(engine.query('mrr', params, { dimensions }))).context, `by ${dimensions}`).toEqual({
          plans: [{ plan_id: 'legacy-gold', currency: 'USD', count: 1 }],
        })
    const banded = engine.query('mrr', { at: '2025-02-28' }, { filters: { mrr_band: '$5000+' } })
    expect((await refusal(banded)).code).toBe('unpriced_plan')
  })

  it('allow_unpriced counts it as 0 and warns', async () => {
    const engine = engineOf({ connector: exampleConnector({ spans: UNPRICED }), options: { allow_unpriced: true } })
    const answer = await engine.query('mrr', { at: '2025-02-28' })
    expect([answer.data, answer.meta.warnings]).toMatchObject([28833, [{ code: 'unpriced_plan', count: 1 }]])
    expect((await engine.query('mrr', { at: '2025-05-31' })).meta.warnings).toEqual([])
    expect(await dataOf(engine, { query_type: 'breakdown', ...RANGE })).toContainEqual({
      movement_type: 'churn',
      amount_base: -17900,
      event_count: 3,
    })
  })

  it('too many rows are refused before they are made', async () => {
    const engine = engineOf({ limits: { max_rows: 20 } })
    const error = await refusal(engine.query('mrr', { ...RANGE, interval: 'day' }))
    expect([error.code, error.context]).toEqual(['result_too_large', { limit: 20 }])
  })

  it('an aborted request leaves the database alone, a wrong one is refused before that', async () => {
    const options = { signal: AbortSignal.abort() }
    await expect(engineOf().query('mrr', {}, {}, options)).rejects.toThrow(/abort/i)
    expect((await refusal(engineOf().query('mrr', { at: 'x' }, {}, options))).code).toBe('invalid_value')
  })

  it('compile gives the statements of a query without running them', async () => {
    const labels = async (params: object, spec: object = {}) =>
      (await engineOf().compile('mrr', { ...params }, { ...spec })).map((statement) => statement.label.split(' ')[0])
    expect(await labels({})).toEqual(['mrr.current'])
    expect(await labels(RANGE)).toEqual(['mrr.series'])
    expect(await labels(RANGE, { dimensions: ['tenure_months'] })).toEqual(['mrr.levels_at'])
    expect(await labels(RANGE, { dimensions: ['movement_type'] })).toEqual(['mrr.breakdown'])
    expect(await labels({ query_type: 'breakdown', ...RANGE })).toEqual(['mrr.breakdown'])
    expect(await labels({ query_type: 'breakdown', ...RANGE }, { dimensions: ['plan_id'] })).toEqual([
      'mrr.breakdown',
      'mrr.series',
    ])
    expect(await labels({ query_type: 'waterfall', ...RANGE })).toEqual(['mrr.current', 'mrr.breakdown'])
    expect(await labels({ query_type: 'waterfall', ...RANGE }, { filters: { plan_id: 'seat' } })).toEqual([
      'mrr.series',
      'mrr.breakdown',
    ])
  })

  it('hostile text in filters and names stays a value', async () => {
    const hostile = ["x' or '1'='1", '"; drop table t; --', ':now', '$1', '/*{filters}*/', '\\', '%']
    for (const text of hostile) expect(await dataOf(engineOf(), { at: '2025-05-31' }, { filters: { plan_id: text } })).toBe(0)
    for (const text of hostile) {
      expect((await refusal(engineOf().query('mrr', {}, { dimensions: [text] }))).code).toBe('unknown_dimension')
      expect((await refusal(engineOf().query('mrr', {}, { filters: { [text]: 'x' } }))).code).toBe('unknown_filter')
    }
  })

  it('an answer is about one instant, that at which its snapshot begins', async () => {
    let readings = 0
    const clock = { now: () => new Date(NOW.getTime() + DAY_MS * readings++) }
    const real = exampleConnector()
    const opened: Date[] = []
    const connector: DatabaseConnector = {
      ...real,
      open: (snapshot, request) => {
        opened.push(request.now)
        return real.open(snapshot, request)
      },
    }
    const { data, meta } = await engineOf({ clock, connector }).summary()
    const [now] = opened
    expect(opened).toHaveLength(1)
    expect(data).toMatchObject({ as_of: now?.toISOString().slice(0, 10) })
    // The state of the server is read between this instant and the snapshot, so nothing is missing up to it.
    expect(meta.data_through).toBe(now?.toISOString())
  })
})
