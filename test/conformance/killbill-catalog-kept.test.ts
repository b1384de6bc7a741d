import { expect, it } from 'vitest'
import type { CatalogVersion } from '../../connectors/killbill/catalog/catalog-version.ts'
import { keyOfText, parseOnce } from '../../connectors/killbill/catalog/document-cache.ts'
import { keepNumberedRelations, keepRelations } from '../../connectors/killbill/catalog/kept-relations.ts'
import type { PlanOverrides } from '../../connectors/killbill/catalog/override.ts'
import { catalogRelations, numberPlans } from '../../connectors/killbill/catalog/price-rows.ts'
import type { TenantCatalog } from '../../connectors/killbill/catalog/tenant-catalog.ts'
import { tryParse } from '../../connectors/killbill/catalog/try-parse.ts'
import { compileFragment } from '../../src/compiler/compile.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { relation, sql } from '../../src/compiler/fragment.ts'
import { keepLast } from '../../src/core/keep-last.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { CATALOG } from '../support/product/example-engine.ts'

const textOf = (price: string): string =>
  catalogXml({ plans: planXml('pro', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price } }) }) })
// As each request does: it reads the text again, and parses it if it is new.
const versionsOf = async (text: string): Promise<readonly CatalogVersion[]> => {
  const [read] = await parseOnce([{ key: keyOfText(text), text }])
  if (read === undefined || read instanceof Error) throw read ?? new Error('not read')
  return read
}
const catalogOf = async (price: string, rest: Partial<TenantCatalog> = {}): Promise<TenantCatalog> => ({
  tenantKey: 1,
  versions: await versionsOf(textOf(price)),
  overrides: new Map(),
  ...rest,
})
const override = (price: string): PlanOverrides =>
  new Map([
    [
      7,
      {
        record_id: 7,
        parent_plan_name: 'pro',
        phases: [{ parent_phase_name: 'pro-evergreen', currency: 'USD', recurring_price: price }],
      },
    ],
  ])

it('the relations of a catalog are made once, and equal newly made ones', async () => {
  const relationsOf = keepRelations()
  const first = await relationsOf([await catalogOf('10')], ['USD'])
  expect(await relationsOf([await catalogOf('10')], ['USD'])).toBe(first)
  expect(first).toEqual(catalogRelations([await catalogOf('10')], ['USD']))
})

it.each<[string, () => Promise<TenantCatalog>, string[]]>([
  ['another text', () => catalogOf('11'), ['USD']],
  ['another tenant', () => catalogOf('10', { tenantKey: 2 }), ['USD']],
  ['another currency', () => catalogOf('10'), ['EUR', 'USD']],
  ['an override', () => catalogOf('10', { overrides: override('8') }), ['USD']],
  ['another price of it', () => catalogOf('10', { overrides: override('9') }), ['USD']],
  ['another delimiter', () => catalogOf('10', { delimiter: ':' }), ['USD']],
  ['a version switched off', async () => catalogOf('10', { retired: await versionsOf(textOf('3')) }), ['USD']],
  ['names of phases in use', () => catalogOf('10', { phasesInUse: new Set(['pro-7-evergreen']) }), ['USD']],
])('%s makes others, and the first come back with their catalog', async (_name, makeOther, currencies) => {
  const relationsOf = keepRelations()
  const other = [[await makeOther()], currencies] as const
  const first = await relationsOf([await catalogOf('10')], ['USD'])
  expect(await relationsOf(...other)).not.toBe(first)
  expect(await relationsOf(...other)).toEqual(catalogRelations(...other))
  expect(await relationsOf([await catalogOf('10')], ['USD'])).toBe(first)
})

it('with numbers that go on, relations that come back know all plans numbered since', async () => {
  const relationsOf = keepNumberedRelations(numberPlans())
  const planCount = async (catalog: TenantCatalog) =>
    (await relationsOf([catalog], ['USD'])).find(({ name }) => name === 'plan')?.rows.length
  expect(await planCount(await catalogOf('10'))).toBe(1)
  const other = await catalogOf('10', { versions: await versionsOf(textOf('10').replaceAll('pro', 'max')) })
  expect(await planCount(other)).toBe(2)
  expect(await planCount(await catalogOf('10'))).toBe(2)
})

it('keeps the values asked for last, and nothing of what failed', async () => {
  let made = 0
  const kept = keepLast<number>(2)
  const make = async () => {
    made += 1
    return made
  }
  const ask = (key: string) => kept.get(key) ?? kept.keep(key, make())
  const answers: number[] = []
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) answers.push(await ask(key))
  expect(answers).toEqual([1, 2, 1, 3, 1, 4])
  await expect(kept.keep('d', Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable')
  expect(await ask('d')).toBe(5)
})

it('keeps what is not too large together, and the last in any case', async () => {
  const kept = keepLast<string>(10)
  for (const key of ['a', 'b']) await kept.keep(key, Promise.resolve(key), 4)
  expect([kept.get('a') === undefined, kept.get('b') === undefined]).toEqual([false, false])
  await kept.keep('c', Promise.resolve('c'), 4)
  expect([kept.get('a') === undefined, kept.get('b') === undefined]).toEqual([true, false])
  await kept.keep('whole', Promise.resolve('whole'), 50)
  expect([kept.get('b') === undefined, kept.get('whole') === undefined]).toEqual([true, false])
})

it('long texts are read in a thread, as they are read here', async () => {
  const texts = [
    catalogXml({ plans: Array.from({ length: 400 }, (_, index) => planXml(`plan-${index}`)).join('') }),
    '<catalog>\n<plans></catalog>',
    textOf('1e3'),
  ]
  const read = await parseOnce(texts.map((text) => ({ key: keyOfText(text), text })))
  expect(read).toEqual(texts.map(tryParse))
  expect(read[1]).toBeInstanceOf(Error)
})

it('a kept relation is written out once for the statements that read it', async () => {
  let written = 0
  const dialect = {
    ...postgres,
    inlineRelation(rows: Parameters<typeof postgres.inlineRelation>[0]) {
      written += 1
      return postgres.inlineRelation(rows)
    },
  }
  const [prices] = catalogRelations([await catalogOf('10')], ['USD'])
  if (prices === undefined) throw new Error('there is no relation')
  const compile = () =>
    compileFragment({
      fragment: sql`select c.* from ${relation('price')} as c`,
      catalog: CATALOG,
      inline: new Map([['price', prices]]),
      params: {},
      dialect,
      label: 'test',
    })
  expect(compile()).toEqual(compile())
  expect(written).toBe(1)
})
