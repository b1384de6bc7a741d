import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { CheckFinding } from '../../src/connector-kit/connector.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Executor, ReplicaState } from '../../src/ports/executor.ts'
import { exampleConnector } from '../support/data/worked-example.ts'
import { executorInState } from '../support/databases/executor-with-state.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { emptyDatabase, exampleEngine } from '../support/product/example-engine.ts'

const STATE: ReplicaState = {
  role: 'replica',
  lag_seconds: 400,
  data_through: '2025-06-04 23:50:00',
  doubt: null,
  version: 'X 1',
  schema: 'billing',
}
const POLICY = { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false } as const

describeTargets('engine as a service', (target) => {
  let executor: Executor
  beforeAll(async () => {
    executor = (await emptyDatabase(target)).executor()
  })
  const withState = (state: Partial<ReplicaState>): Executor => executorInState(executor, { ...STATE, ...state })
  const unreachable = (): Executor => ({
    ...executor,
    variant: executor.variant,
    state: async () => {
      throw new AppError('connector_unavailable', 'nobody there')
    },
  })

  it('a lagging replica warns, and the answer says how far it reaches', async () => {
    const { meta } = await exampleEngine(withState({})).query('mrr')
    expect(meta.data_through).toBe('2025-06-04T23:50:00.000Z')
    expect(meta.warnings).toMatchObject([{ code: 'replica_lagging' }])
    const close = await exampleEngine(withState({ lag_seconds: 300 })).query('mrr')
    expect(close.meta.warnings).toEqual([])
  })

  it('or is refused, as the policy says', async () => {
    const engine = exampleEngine(withState({}), { replica: { ...POLICY, lag_policy: 'refuse' } })
    await expect(engine.query('mrr')).rejects.toMatchObject({
      code: 'replica_lagging',
      context: { lag_seconds: 400, limit_seconds: 300 },
    })
  })

  it('and then nothing of the data is read', async () => {
    const open = () => Promise.reject(new Error('it was read'))
    const replica = { ...POLICY, lag_policy: 'refuse' } as const
    const engine = exampleEngine(withState({}), { replica, connector: { ...exampleConnector(), open } })
    await expect(engine.query('mrr')).rejects.toMatchObject({ code: 'replica_lagging' })
  })

  it('a replica of which nobody knows how far it is behind is lagging, and the answer says no instant', async () => {
    const state = { lag_seconds: null, data_through: null, doubt: 'replay is paused' }
    const engine = exampleEngine(withState(state))
    const { meta } = await engine.query('mrr')
    const message = 'The replica is behind by an unknown time (replay is paused); the limit is 300 s.'
    expect(meta).toMatchObject({ data_through: null, warnings: [{ code: 'replica_lagging', message }] })
    const { data } = await engine.summary()
    expect(data).toMatchObject({ data_through: null })
    expect(await engine.readiness()).toMatchObject({
      status: 'unavailable',
      checks: { replica: { ok: false, lag_seconds: null, reason: 'replay is paused' } },
    })
    const refusing = exampleEngine(withState(state), { replica: { ...POLICY, lag_policy: 'refuse' } })
    await expect(refusing.query('mrr')).rejects.toMatchObject({
      code: 'replica_lagging',
      message,
      context: { lag_seconds: null, limit_seconds: 300 },
    })
    const reaching = await exampleEngine(withState({ ...state, data_through: '2025-06-04 20:00:00' })).query('mrr')
    expect(reaching.meta.data_through).toBe('2025-06-04T20:00:00.000Z')
  })

  it('a server that hides its role is served, unless the policy refuses', async () => {
    const state = { role: 'unknown', lag_seconds: null, data_through: null, doubt: 'a right is missing' } as const
    const { meta } = await exampleEngine(withState(state)).query('mrr')
    expect(meta).toMatchObject({ data_through: '2025-06-05T00:00:00.000Z', warnings: [] })
    const refusing = exampleEngine(withState(state), { replica: { ...POLICY, lag_policy: 'refuse' } })
    await expect(refusing.query('mrr')).rejects.toMatchObject({ code: 'replica_lagging', context: { lag_seconds: null } })
    expect((await refusing.readiness()).status).toBe('unavailable')
    const quiet = exampleEngine(withState({ ...state, doubt: null }), { replica: { ...POLICY, lag_policy: 'refuse' } })
    await expect(quiet.query('mrr')).resolves.toMatchObject({ data: 33433 })
  })

  it('a replica that is not behind is complete up to now', async () => {
    const { meta } = await exampleEngine(withState({ lag_seconds: 0, data_through: null })).query('mrr')
    expect(meta).toMatchObject({ data_through: '2025-06-05T00:00:00.000Z', warnings: [] })
    const ahead = await exampleEngine(withState({ lag_seconds: 0, data_through: '2031-01-01 00:00:00' })).query('mrr')
    expect(ahead.meta.data_through).toBe('2025-06-05T00:00:00.000Z')
  })

  it('a role that may write is refused where read-only is required', async () => {
    const writer = (privileges: readonly string[]): Executor => ({
      ...withState({ lag_seconds: 0 }),
      writePrivileges: async () => privileges,
    })
    const replica = { ...POLICY, require_read_only: true }
    await expect(exampleEngine(writer(['insert on accounts']), { replica }).query('mrr')).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringContaining('insert on accounts'),
    })
    await expect(exampleEngine(writer([]), { replica }).query('mrr')).resolves.toMatchObject({ data: 33433 })
    await expect(exampleEngine(writer(['insert on accounts'])).query('mrr')).resolves.toMatchObject({ data: 33433 })
  })

  it('readiness follows replica, lag, schema and store', async () => {
    const fine = await exampleEngine(withState({ lag_seconds: 1 })).readiness()
    expect(fine).toEqual({
      status: 'ok',
      checks: { replica: { ok: true, role: 'replica', lag_seconds: 1, version: 'X 1', schema: 'billing' }, store: { ok: null } },
    })
    expect((await exampleEngine(withState({})).readiness()).status).toBe('unavailable')
    expect((await exampleEngine(unreachable()).readiness()).checks.replica).toEqual({
      ok: false,
      role: 'unknown',
      lag_seconds: null,
      version: null,
      schema: null,
    })
    const refuse = async () => {
      throw new AppError('unsupported_by_connector', 'no such tables')
    }
    const broken = exampleEngine(withState({ lag_seconds: 1 }), { connector: { ...exampleConnector(), open: refuse } })
    expect((await broken.readiness()).checks.replica.ok).toBe(false)
    const fxRates = { ratesInto: async () => [], list: async () => [], upsert: async () => 0 }
    const store = {
      enabled: true,
      fxRates,
      version: async () => 0,
      fingerprint: async () => '',
      ping: refuse,
      open: refuse,
      close: async () => {},
    }
    expect(await exampleEngine(withState({ lag_seconds: 1 }), { store }).readiness()).toMatchObject({
      status: 'unavailable',
      checks: { replica: { ok: true }, store: { ok: false } },
    })
  })

  it.each([
    ['ten seconds', 10, 10_000],
    ['a hundred times as long as it took', 1_000, 100_000],
    ['five minutes', 40_000, 300_000],
  ])('a schema that was usable is opened again after %s', async (_what, tookMs, afterMs) => {
    let [now, opened] = [1_000, 0]
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const connector: ReturnType<typeof exampleConnector> = {
      ...exampleConnector(),
      open(...given) {
        now += tookMs
        opened += 1
        return exampleConnector().open(...given)
      },
    }
    try {
      const engine = exampleEngine(withState({ lag_seconds: 1 }), { connector })
      const openedAt = async (ms: number): Promise<number> => {
        now = ms
        expect((await engine.readiness()).checks.replica.ok).toBe(true)
        return opened
      }
      expect(await openedAt(1_000)).toBe(1)
      expect(await openedAt(1_000 + afterMs - 1)).toBe(1)
      expect(await openedAt(1_000 + afterMs)).toBe(2)
    } finally {
      clock.mockRestore()
    }
  })

  it('check lists connection, rights, lag, the connector, rates and store', async () => {
    const levels = (findings: readonly CheckFinding[]) => findings.map(({ name, level }) => `${name} ${level}`)
    const quiet = { ...withState({ lag_seconds: 0 }), writePrivileges: async () => [] }
    expect(levels(await exampleEngine(quiet, { connector: exampleConnector({ rates: [] }) }).check())).toEqual([
      'connection ok',
      'privileges ok',
      'lag ok',
      'relations_exact ok',
      'relations_absent ok',
      'rates warning',
      'store ok',
    ])
    const loud = { ...withState({}), writePrivileges: async () => ['insert on accounts'] }
    const replica = { max_lag_seconds: 300, lag_policy: 'refuse', require_read_only: true } as const
    const rates = [{ date: '2025-01-01', from: 'EUR', to: 'USD', rate: '1.1' }]
    expect(levels(await exampleEngine(loud, { replica, connector: exampleConnector({ rates }) }).check())).toEqual([
      'connection ok',
      'privileges failure',
      'lag failure',
      'relations_exact ok',
      'relations_absent ok',
      'rates ok',
      'store ok',
    ])
    await expect(exampleEngine(unreachable()).check()).rejects.toMatchObject({ code: 'connector_unavailable', exit: 4 })
  })

  describe('discovery', () => {
    it('lists every metric, also those that are not built', async () => {
      const engine = exampleEngine(executor)
      expect(engine.metrics()).toEqual([
        'churn',
        'expenses',
        'involuntary_churn',
        'ledger',
        'ltv',
        'mrr',
        'retention',
        'trials',
        'usage_revenue',
      ])
      expect(engine.metric('mrr')?.name).toBe('mrr')
      expect(() => engine.metric('mrrr')).toThrow(
        expect.objectContaining({ code: 'unknown_metric', context: { available: engine.metrics() } }),
      )
      await expect(engine.fields('nope')).rejects.toMatchObject({ code: 'unknown_metric' })
      await expect(engine.query('mr')).rejects.toMatchObject({
        issues: [{ where: 'path.metric', value: 'mr', did_you_mean: ['mrr'] }],
      })
    })

    it('a metric that is listed only cannot be supplied', async () => {
      for (const metric of exampleEngine(executor)
        .metrics()
        .filter((name) => exampleEngine(executor).metric(name) === undefined)) {
        await expect(exampleEngine(executor).query(metric)).rejects.toMatchObject({
          code: 'unsupported_by_connector',
          context: { connector: 'example' },
        })
        await expect(exampleEngine(executor).fields(metric)).rejects.toMatchObject({ code: 'unsupported_by_connector' })
      }
    })

    it('fields tell what each query offers', async () => {
      const fields = (await exampleEngine(executor).fields('mrr')).data
      expect(fields.query_types).toEqual(['arr', 'breakdown', 'components', 'current', 'series', 'waterfall', 'why'])
      expect(fields.time_dimensions).toEqual([{ key: 'occurred_at', label: 'Occurred at' }])
      expect(fields.dimensions.find(({ key }) => key === 'movement_type')?.queries).toEqual(['arr', 'breakdown', 'series'])
      expect(fields.dimensions.find(({ key }) => key === 'mrr_band')).toEqual({
        key: 'mrr_band',
        label: 'MRR band',
        type: 'string',
        queries: ['arr', 'components', 'current', 'series', 'waterfall'],
      })
      expect(fields.dimensions.find(({ key }) => key === 'tenure_months')).toMatchObject({
        label: 'Tenure (months)',
        type: 'number',
      })
      expect(fields.filters.find(({ key }) => key === 'customer.created_at')?.operators).toContain('between')
      for (const list of [fields.dimensions, fields.filters]) {
        expect(list.map(({ key }) => key)).toEqual(list.map(({ key }) => key).sort())
      }
    })

    it('inputs that the connector lacks are not offered, and inferred ones are named', async () => {
      const capabilities = {
        subscription_span: 'exact',
        customer: 'exact',
        'customer.customer_country': 'absent',
        plan: 'inferred',
      } as const
      const engine = exampleEngine(executor, { connector: exampleConnector({ capabilities }) })
      const keys = (await engine.fields('mrr')).data.dimensions.map(({ key }) => key)
      expect(keys).toContain('plan_id')
      expect(keys).not.toContain('bundle_id')
      expect(keys).not.toContain('customer_country')
      expect((await engine.query('mrr', {}, { dimensions: ['plan_id'] })).meta.warnings).toMatchObject([{ code: 'inferred' }])
      expect((await engine.query('mrr')).meta.warnings).toEqual([])
      const nothing = exampleEngine(executor, { connector: exampleConnector({ capabilities: {} }) })
      expect(() => nothing.supported('churn')).toThrow(expect.objectContaining({ code: 'unsupported_by_connector' }))
      await expect(nothing.query('mrr')).rejects.toMatchObject({
        code: 'unsupported_by_connector',
        context: { missing: ['mrr_span'] },
      })
    })

    it('a missing capability of the connector affects the queries that need it, and no other', async () => {
      const capabilities = { subscription_span: 'exact', customer: 'exact' } as const
      const engine = exampleEngine(executor, { connector: exampleConnector({ capabilities }) })
      const range = { start: '2025-03-01', end: '2025-05-31' }
      expect((await engine.query('churn', range)).data).toBe(0.4)
      expect((await engine.query('ltv', range)).data).toBe(55721.67)
      expect((await engine.fields('churn')).data.query_types).toEqual(['logo', 'revenue', 'revenue_events'])
      expect((await engine.fields('ltv')).data.query_types).toEqual(['arpu', 'sale_price', 'simple'])
      await expect(engine.query('churn', { query_type: 'detail', ...range })).rejects.toMatchObject({
        code: 'unsupported_by_connector',
        message: expect.stringContaining('"churn.detail"'),
        context: { connector: 'example', missing: ['cancellation'] },
      })
      await expect(engine.query('ltv', { query_type: 'cohort', ...range })).rejects.toMatchObject({
        context: { missing: ['invoice'] },
      })
      const absent = (await engine.check()).find(({ name }) => name === 'relations_absent')
      expect(absent?.message).toMatch(
        /; metrics not available: churn\.detail, involuntary_churn, ledger, ltv\.cohort, trials, usage_revenue$/,
      )
    })

    it('an overview can be asked and is not listed', async () => {
      const engine = exampleEngine(executor)
      expect(engine.metric('summary')?.is_overview).toBe(true)
      expect(engine.metrics()).not.toContain('summary')
      expect((await engine.query('summary')).data).toEqual((await engine.summary()).data)
      await expect(engine.fields('summary')).rejects.toMatchObject({ code: 'unknown_metric' })
      const definition = { version: 1, root: { op: 'and', conditions: [] } }
      await expect(engine.validateSegment({ definition, metric: 'summary' })).rejects.toMatchObject({ code: 'unknown_metric' })
    })

    it('an overview has one query, and refuses another together with all other errors', async () => {
      const asked = exampleEngine(executor).summary({ query_type: 'mrr', at: 'x' }, { dimensions: ['nope'] })
      const refused = await asked.catch((error: unknown) => error)
      if (!(refused instanceof AppError)) return expect.unreachable('it was answered')
      const wheres = (refused.issues ?? []).map(({ where }) => where)
      expect(wheres.sort()).toEqual(['params.at', 'params.query_type', 'spec.dimensions'])
    })
  })
})
