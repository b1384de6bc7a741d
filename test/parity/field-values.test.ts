import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { copyOfReal, sharedReal } from '../support/data/killbill/recorded-database.ts'
import { sharedNorth } from '../support/data/lago/north-database.ts'
import { realTables, TENANT_KEYS } from '../support/data/recorded/recorded-tables.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { describeTargets, engines } from '../support/databases/targets.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const countriesOf = (tenant: keyof typeof TENANT_KEYS) => {
  const own = realTables('accounts').filter((row) => Number(row['tenant_record_id']) === TENANT_KEYS[tenant])
  return [...new Set(own.flatMap(({ country }) => (country === null ? [] : [String(country)])))].sort()
}

const ONE_POSTGRES = { only: [engines().some(({ name }) => name === 'postgres') ? 'postgres' : 'pglite'] as const }

/** The values, the same straight and from the cache. */
async function sameValues(all: readonly Engine[], metric: string, field: string, search?: string) {
  const params = search === undefined ? {} : { search }
  const [straight, ...others] = await Promise.all(all.map((engine) => engine.fieldValues(metric, field, params)))
  for (const other of others) expect(other).toEqual(straight)
  return straight
}

everyEngine('the values of a field', (target) => {
  const asked: Engine[] = []
  beforeAll(async () => {
    const database = await sharedReal(target)
    asked.push(await engineOver(database, { tenant: ['alpha'] }))
    asked.push((await cachedEngineOver(database, { tenant: ['alpha'] })).engine)
  })
  afterAll(async () => {
    for (const engine of asked) await engine.close()
  })
  const valuesOf = (metric: string, field: string, search?: string) => sameValues(asked, metric, field, search)

  it('are those of all rows, in order, with their number', async () => {
    const values = countriesOf('alpha')
    expect(values.length).toBeGreaterThan(5)
    for (const field of ['customer_country', 'customer.country'])
      expect(await valuesOf('mrr', field)).toEqual({ values, count: values.length })
  })

  it('are those of the own tenant only', async () => {
    const beta = await engineOver(await sharedReal(target), { tenant: ['beta'] })
    const values = countriesOf('beta')
    expect(countriesOf('alpha')).not.toEqual(values)
    expect(await beta.fieldValues('mrr', 'customer_country')).toEqual({ values, count: values.length })
    expect((await beta.fieldValues('mrr', 'tenant')).values).toEqual(['beta'])
    await beta.close()
  })

  it('are the reasons of both kinds of churn', async () => {
    const range = { start: '2025-12-01', end: '2026-10-31' }
    const used = new Set<string>()
    for (const type of ['logo', 'revenue']) {
      const answer = await asked[0]?.query('churn', { type, ...range }, { dimensions: ['cancel_reason'] })
      const rows = (answer?.data ?? []) as readonly { readonly cancel_reason: string | null }[]
      for (const { cancel_reason } of rows) if (cancel_reason !== null) used.add(cancel_reason)
    }
    expect(used.size).toBeGreaterThan(3)
    const { values, count } = (await valuesOf('churn', 'cancel_reason')) ?? { values: [] }
    expect(values).toEqual(expect.arrayContaining([...used]))
    expect(count).toBe(values.length)
  })

  it.each([
    ['churn', 'churn_type', ['logo', 'revenue']],
    ['mrr', 'movement_source', ['subscription', 'usage']],
    ['mrr', 'tenant', ['alpha']],
    ['mrr', 'source', ['killbill']],
    ['mrr', 'pending_cancellation', ['true', 'false']],
    ['mrr', 'subscription.status', ['trialing', 'active', 'paused']],
  ])('of %s, %s are few and fixed', async (metric, field, values) => {
    const found = await valuesOf(metric, field)
    expect(found?.values.toSorted()).toEqual(values.toSorted())
    expect(found?.count).toBe(values.length)
  })

  it('are found by a part, in any letters', async () => {
    const all = (await valuesOf('mrr', 'plan_id'))?.values ?? []
    const some = all.filter((value) => value.includes('-ann'))
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(all.length)
    expect(await valuesOf('mrr', 'plan_id', '-ANN')).toEqual({ values: some, count: some.length })
    // A search is no pattern.
    for (const search of ['%', '_', '!'])
      expect((await valuesOf('mrr', 'plan_id', search))?.values).toEqual(all.filter((value) => value.includes(search)))
    expect(await valuesOf('mrr', 'movement_source', 'USAG')).toEqual({ values: ['usage'], count: 1 })
  })

  it.each(['customer_name', 'customer.email', 'customer_id', 'customer.city', 'bundle_id', 'tenure_months', 'cohort_month'])(
    'of %s are not listed',
    async (field) => {
      expect(await valuesOf('mrr', field)).toEqual({ values: [], count: null })
    },
  )

  it('of every filter of every metric, and of every field of segments, are answered', async () => {
    const [engine] = asked
    if (engine === undefined) throw new Error('an engine is missing')
    for (const metric of engine.metrics())
      for (const { key } of (await engine.fields(metric)).data.filters)
        if (!key.startsWith('attr.')) expect(await valuesOf(metric, key), `${metric} ${key}`).toHaveProperty('values')
    for (const { field } of (await engine.segmentFields()).data)
      if (!field.startsWith('attr.')) expect(await valuesOf('mrr', field), field).toHaveProperty('values')
  })

  it('of an unknown field are refused with near names', async () => {
    for (const engine of asked)
      await expect(engine.fieldValues('churn', 'cancel_reasn')).rejects.toMatchObject({
        code: 'unknown_filter',
        issues: [{ where: 'path.field', did_you_mean: expect.arrayContaining(['cancel_reason']) }],
      })
  })

  it('of an unknown field are refused without names that a caller may not use', async () => {
    const disclosing = (names: readonly string[]) => {
      if (names.length > 0) throw new Error('a refusal for its scope')
    }
    const options = { numbersOnly: true, disclosing }
    for (const engine of asked) {
      const refusal = await engine.fieldValues('churn', 'cancel_reasn', {}, options).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'unknown_filter' })
      expect(JSON.stringify((refusal as { readonly issues?: unknown }).issues)).not.toContain('cancel_reason"')
      await expect(engine.fieldValues('churn', 'cancel_reason', {}, options)).rejects.toThrow('a refusal for its scope')
    }
  })
})

describeTargets(
  'the values of a field that has more than are listed',
  (target) => {
    it('are a thousand, with the number of all, and a search finds the others', async () => {
      const database = await copyOfReal(target)
      const many = Array.from({ length: 1_001 }, (_, index) => `Zone/${String(index).padStart(4, '0')}`)
      const first = 100_000
      const rows = many.map((time_zone, index) => ({
        record_id: first + index,
        external_key: time_zone,
        name: time_zone,
        currency: 'USD',
        time_zone,
        tenant_record_id: TENANT_KEYS.alpha,
      }))
      await insertRows(database, 'accounts', rows)
      const cached = await cachedEngineOver(database, { tenant: ['alpha'] })
      await cached.cache.ready()
      const asked = [await engineOver(database, { tenant: ['alpha'] }), cached.engine]
      const all = await sameValues(asked, 'mrr', 'customer.time_zone')
      expect(all?.values.length).toBe(1_000)
      expect(all?.count).toBeGreaterThan(1_001)
      const last = many.at(-1) ?? ''
      expect(all?.values).not.toContain(last)
      expect(await sameValues(asked, 'mrr', 'customer.time_zone', last.toLowerCase())).toEqual({ values: [last], count: 1 })
      expect((await sameValues(asked, 'mrr', 'customer.time_zone', 'zone/'))?.count).toBe(1_001)
      for (const engine of asked) await engine.close()
    })
  },
  ONE_POSTGRES,
)

describeTargets(
  'the values of a field of Lago',
  (target) => {
    it('are those of its rows, straight and from the cache', async () => {
      const database = await sharedNorth(target)
      let cache: CountedCache | undefined
      const asked = [await lagoEngine(database), await lagoEngine(database, { onCache: (made) => (cache = made) })]
      await cache?.ready()
      const [engine] = asked
      const rows = await database.adminQuery(
        "select distinct country from customers where country <> '' and account_type <> 'partner'",
      )
      const values = rows.map(({ country }) => String(country)).sort()
      expect(values.length).toBeGreaterThan(3)
      expect(await sameValues(asked, 'mrr', 'customer_country')).toEqual({ values, count: values.length })
      for (const metric of ['mrr', 'churn'])
        for (const { key } of (await engine?.fields(metric))?.data.filters ?? [])
          if (!key.startsWith('attr.')) expect(await sameValues(asked, metric, key), `${metric} ${key}`).toHaveProperty('values')
      for (const one of asked) await one.close()
    })
  },
  ONE_POSTGRES,
)
