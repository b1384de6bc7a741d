import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type Row = Readonly<Record<string, unknown>>

const ALPHA = 'Alpha & Söhne'
const AT = { at: '2026-10-31' }
const RANGE = { start: '2026-08-01', end: '2026-10-31' }
const BETA = '9af6b01f-b4fe-4fa4-9104-85e29ae79c61'
const NAMES = { tenant: ['all'], tenantNames: { alpha: ALPHA } }

/** Cents of MRR at the end of October, of alpha and of both. */
const MRR = { alpha: 4_851_882, both: 4_935_912 }

/** Every query that has tenants. */
const QUESTIONS = BILLING_METRICS.filter(({ is_overview }) => is_overview !== true).flatMap(({ name: metric, queries }) =>
  Object.entries(queries)
    .filter(([, { inputs }]) => inputs.dimensions.some(({ key }) => key === 'tenant'))
    .map(([query_type, { inputs }]) => ({ metric, query_type, inputs })),
)

/** Bodies by question. Every engine and the cache must give the same. */
const answers = new Map<string, string>()

firstEngineAndOneOther('tenants of the recording', (target) => {
  let direct: Engine
  let cached: Engine
  let cache: CountedCache
  let onlyBeta: Engine

  beforeAll(async () => {
    const database = await sharedReal(target)
    direct = await engineOver(database, NAMES)
    ;({ engine: cached, cache } = await cachedEngineOver(database, NAMES))
    onlyBeta = await engineOver(database, { tenant: ['beta'], tenantNames: NAMES.tenantNames })
  })
  afterAll(async () => {
    for (const engine of [direct, cached, onlyBeta]) await engine.close()
    expect(cache.failures()).toEqual([])
  })

  const rows = async (metric: string, params: object, spec: object = {}): Promise<readonly Row[]> => {
    const [one, other] = [
      await direct.query(metric, { ...params }, { ...spec }),
      await cached.query(metric, { ...params }, { ...spec }),
    ]
    const body = JSON.stringify(one.data)
    expect(JSON.stringify(other.data), 'from the cache').toBe(body)
    const name = JSON.stringify([metric, params, spec])
    expect(body, name).toBe(answers.get(name) ?? body)
    answers.set(name, body)
    return [one.data].flat() as readonly Row[]
  }
  const number = async (metric: string, params: object, spec: object = {}): Promise<number> =>
    Number(await rows(metric, params, spec).then(([only]) => only))

  it('have a row each, with the configured name or the external key, which add up', async () => {
    expect(await rows('mrr', AT, { dimensions: ['tenant'] })).toEqual([
      expect.objectContaining({ tenant: ALPHA, mrr: MRR.alpha }),
      expect.objectContaining({ tenant: 'beta', mrr: MRR.both - MRR.alpha }),
    ])
    expect(await number('mrr', AT)).toBe(MRR.both)
  })

  it('narrow by a filter, in a segment and in a comparison of segments alike', async () => {
    expect(await number('mrr', AT, { filters: { tenant: ALPHA } })).toBe(MRR.alpha)
    expect(await number('mrr', AT, { filters: { tenant: { '!=': ALPHA } } })).toBe(MRR.both - MRR.alpha)
    expect(await number('mrr', AT, { filters: { tenant: { ends_with: 'SÖHNE' } } })).toBe(MRR.alpha)
    expect(await number('mrr', AT, { filters: { tenant: [ALPHA, 'beta'] } })).toBe(MRR.both)
    const segment = (field: string) =>
      JSON.stringify({ version: 1, root: { op: 'and', conditions: [{ field, op: '=', value: 'beta' }] } })
    expect(await number('mrr', { ...AT, segment: segment('tenant') })).toBe(MRR.both - MRR.alpha)
    expect(await number('mrr', { ...AT, segment: segment('subscription.tenant') })).toBe(MRR.both - MRR.alpha)
    const filters = { tenant: ALPHA }
    expect(await rows('mrr', { ...AT, segment: segment('tenant') }, { dimensions: ['tenant'], filters })).toEqual([])
  })

  it.each(sampleOf(target, QUESTIONS))(
    'group and narrow $metric.$query_type as their ids do',
    async ({ metric, query_type, inputs }) => {
      const params = { query_type, ...paramsForDays(inputs, RANGE) }
      const byId = inputs.can_group ? await rows(metric, params, { dimensions: ['source_id'] }) : []
      const byName = inputs.can_group ? await rows(metric, params, { dimensions: ['tenant'] }) : []
      const plain = (all: readonly Row[]) => all.map(({ source_id: _id, tenant: _name, ...row }) => JSON.stringify(row)).sort()
      expect(plain(byName)).toEqual(plain(byId))
      const names = new Set(byName.flatMap(({ tenant }) => tenant ?? []))
      for (const tenant of names) expect([ALPHA, 'beta']).toContain(tenant)
      expect(await rows(metric, params, { filters: { tenant: 'beta' } })).toEqual(
        await rows(metric, params, { filters: { source_id: BETA } }),
      )
    },
  )

  it.each(['customers', 'subscriptions', 'invoices'] as const)('are named, sorted and found in the list of %s', async (list) => {
    for (const engine of [direct, cached]) {
      const page = async (params: object) =>
        (await engine.list(list, { limit: 1000, ...params })).data as { total: number; rows: Row[] }
      const all = await page({ order: '-tenant' })
      const one = await page({ tenant: ALPHA })
      const other = await page({ tenant: 'beta' })
      expect(all.total).toBe(one.total + other.total)
      expect(Math.min(one.total, other.total)).toBeGreaterThan(0)
      expect(new Set(one.rows.map(({ tenant }) => tenant))).toEqual(new Set([ALPHA]))
      expect(new Set(one.rows.map(({ source_id }) => source_id)).size).toBe(1)
      expect(all.rows[0]?.['tenant']).toBe('beta')
    }
  })

  it('are refused by another name, with the names that there are', async () => {
    const wrong = { code: 'invalid_value', value: 'gamma', did_you_mean: [] }
    const context = { available: [ALPHA, 'beta'] }
    for (const engine of [direct, cached]) {
      await expect(engine.query('mrr', AT, { filters: { tenant: 'gamma' } })).rejects.toMatchObject({
        ...{ code: 'invalid_value', context },
        issues: [{ ...wrong, where: 'spec.filters.tenant', message: `"tenant" must be ${ALPHA} or beta; got "gamma".` }],
      })
      await expect(engine.list('customers', { tenant: 'Beta' })).rejects.toMatchObject({
        ...{ code: 'invalid_value', context },
        issues: [{ where: 'params.tenant', value: 'Beta', did_you_mean: ['beta'] }],
      })
      const segment = { version: 1, root: { op: 'and', conditions: [{ field: 'tenant', op: 'in', value: ['gamma'] }] } }
      await expect(engine.query('mrr', { ...AT, segment: JSON.stringify(segment) })).rejects.toMatchObject({
        code: 'invalid_value',
        issues: [{ message: expect.stringContaining('gamma') }],
      })
    }
  })

  it('are listed', async () => {
    const [alpha, beta] = await direct.tenants()
    expect(alpha?.name).toBe(ALPHA)
    expect(beta).toEqual({ name: 'beta', source_id: BETA })
    expect(await onlyBeta.tenants()).toEqual([beta])
  })

  it('of another service are neither counted nor named', async () => {
    expect((await onlyBeta.query('mrr', AT)).data).toBe(MRR.both - MRR.alpha)
    expect((await onlyBeta.query('mrr', AT, { dimensions: ['tenant'] })).data).toEqual([
      expect.objectContaining({ tenant: 'beta', mrr: MRR.both - MRR.alpha }),
    ])
    for (const tenant of ['Alpha', 'alpha', { contains: 'lph', '=': 'alpha' }]) {
      const refused = await onlyBeta.query('mrr', AT, { filters: { tenant } }).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'invalid_value', context: { available: ['beta'] } })
      expect(JSON.stringify(refused)).not.toContain('Söhne')
    }
    expect((await onlyBeta.query('mrr', AT, { filters: { tenant: { contains: 'lph' } } })).data).toBe(0)
    const { data: fields } = await onlyBeta.segmentFields()
    expect(fields.find(({ field }) => field === 'tenant')?.examples).toEqual(['beta'])
    expect(JSON.stringify([fields, await onlyBeta.tenants()])).not.toMatch(/Söhne|"alpha"/)
  })
})
