import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fn, sql, value } from '../../src/compiler/fragment.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { defineDimension, type OwnDimension } from '../../src/query/own-dimension.ts'
import { exampleConnector } from '../support/data/worked-example.ts'
import { describeExample } from '../support/product/example-engine.ts'

const region = defineDimension({
  key: 'region',
  label: 'Sales region',
  type: 'string',
  description: 'By the currency of the account.',
  of: 'customer',
  reads: ['customer.currency'],
  order: ['overseas', 'home'],
  expression: sql`case when customer.currency = 'USD' then 'home' else 'overseas' end`,
})
const yearly = defineDimension({
  key: 'is_yearly',
  type: 'boolean',
  description: 'Whether the plan is billed by the year.',
  of: 'plan',
  reads: ['plan.plan_interval'],
  expression: sql`case when plan.plan_interval = 'year' then true else false end`,
})
const registry = builtInRegistry([], [region, yearly])
const RANGE = { start: '2025-03-01', end: '2025-05-31' }

it('the guide (docs/write-a-dimension.md) shows what the packed package is tried with, letter by letter', () => {
  const guide = readFileSync(join(packageRoot(), 'docs', 'write-a-dimension.md'), 'utf8')
  const files = [...guide.matchAll(/^`(src\/[a-z]+\.ts)`\n\n```ts\n(.*?)^```$/gms)]
  expect(files).toHaveLength(2)
  for (const [, path = '', text] of files) expect(text).toBe(readFileSync(join(packageRoot(), 'test', 'consumer', path), 'utf8'))
})

describe('a dimension that is refused', () => {
  const named = (part: Partial<OwnDimension>): OwnDimension => ({ ...region, ...part })

  it.each<[string, readonly OwnDimension[], string]>([
    ['a name of the product', [named({ key: 'plan_id' })], 'dimension "plan_id": its key is taken'],
    ['a column of answers', [named({ key: 'mrr' })], 'dimension "mrr": its key is taken'],
    ['a filter', [named({ key: 'customer.city' })], 'its key is taken; dimension "customer.city": its key is not in snake_case'],
    ['a name twice', [region, region], 'dimension "region": another one has its key'],
    ['no column', [named({ reads: ['customer.planet'] })], 'dimension "region": no relation has the column "customer.planet"'],
    ['a column of its SQL', [named({ expression: sql`customer.planet` })], 'no relation has the column "customer.planet"'],
    [
      'a column that it does not read',
      [named({ expression: sql`customer.city` })],
      'its SQL uses customer.city, which "reads" does not list',
    ],
    [
      'a function as files have it',
      [named({ expression: sql`fn.lower(customer.currency)` })],
      'write a function as a fragment, fn(name, …), not in the SQL text',
    ],
    [
      'a function as files have it inside of another one',
      [named({ expression: sql`${fn('text', sql`fn.lower(customer.currency)`)}` })],
      'write a function as a fragment, fn(name, …), not in the SQL text',
    ],
    [
      'a column among joined texts',
      [named({ expression: sql`concat(customer.currency, '!')` })],
      'Trino concatenates texts only',
    ],
    [
      'a number among joined texts',
      [named({ expression: sql`concat(${value(5, 'integer')}, '!')` })],
      'Trino concatenates texts only',
    ],
    ['SQL of one database', [named({ expression: sql`customer.currency || 'x'` })], 'MySQL reads it as OR'],
    ['no relation', [named({ reads: ['planet.name'] })], 'dimension "region": no relation has the column "planet.name"'],
  ])('%s', (_name, dimensions, message) => {
    expect(() => builtInRegistry([], dimensions)).toThrow(message)
  })
})

it('a dimension may join texts, functions and values', () => {
  const currency = fn('text', sql`customer.currency`)
  const joined = sql`concat(${fn('lower', currency)}, '-', ${value('it', 'text')}, ${fn('text', value(5, 'integer'))})`
  const dimension = defineDimension({ ...region, key: 'joined', expression: joined })
  expect(() => builtInRegistry([], [dimension])).not.toThrow()
})

describeExample('dimensions of an embedder', (engineOf) => {
  it('group and filter, in their order, and add up to the whole', async () => {
    const engine = engineOf({ registry })
    const { data } = await engine.query('mrr', { at: '2025-05-31' }, { dimensions: ['region'] })
    expect(data).toEqual([
      { region: 'overseas', mrr: 19200 },
      { region: 'home', mrr: 14233 },
    ])
    expect((await engine.query('mrr', { at: '2025-05-31' }, { filters: { region: 'home' } })).data).toBe(14233)
    const { data: whole } = await engine.summary(RANGE, { filters: { region: ['home', 'overseas'] } })
    expect(whole).toEqual((await engineOf().summary(RANGE)).data)
  })

  it('are offered by every query that knows what they are of, and by no other', async () => {
    const engine = engineOf({ registry })
    const of = async (key: string, metric: string) =>
      (await engine.fields(metric)).data.dimensions.find((dimension) => dimension.key === key)
    const queriesOf = async (key: string) => (await of(key, 'mrr'))?.queries
    expect(await of('region', 'mrr')).toMatchObject({ label: 'Sales region', type: 'string' })
    expect(await queriesOf('region')).toEqual(await queriesOf('customer_country'))
    expect(await queriesOf('is_yearly')).toEqual(await queriesOf('plan_id'))
    expect((await of('region', 'churn'))?.queries).toEqual((await of('customer_country', 'churn'))?.queries)
    const { data } = await engine.query('retention', { ...RANGE, query_type: 'nrr' }, { dimensions: ['is_yearly'] })
    expect(data).toEqual([expect.objectContaining({ is_yearly: false }), expect.objectContaining({ is_yearly: true })])
  })

  it('are not offered where the connector lacks what they are made of', async () => {
    const capabilities = { subscription_span: 'exact', customer: 'exact', 'customer.currency': 'absent', plan: 'exact' } as const
    const engine = engineOf({ registry, connector: exampleConnector({ capabilities }) })
    await expect(engine.query('mrr', {}, { dimensions: ['region'] })).rejects.toMatchObject({ code: 'unknown_dimension' })
  })
})
