import { expect, it } from 'vitest'
import { parseOnce } from '../../connectors/killbill/catalog/document-cache.ts'
import { keepLast } from '../../connectors/killbill/catalog/keep-last.ts'
import { keepNumberedRelations, keepRelations } from '../../connectors/killbill/catalog/kept-relations.ts'
import type { PlanOverrides } from '../../connectors/killbill/catalog/override.ts'
import { catalogRelations, numberPlans } from '../../connectors/killbill/catalog/price-rows.ts'
import type { TenantCatalog } from '../../connectors/killbill/catalog/stretch.ts'
import { compileFragment } from '../../src/compiler/compile.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { relation, sql } from '../../src/compiler/fragment.ts'
import { catalogXml, phaseXml, planXml } from '../support/catalog-xml.ts'
import { CATALOG } from '../support/example-engine.ts'

const textOf = (price: string): string =>
  catalogXml({ plans: planXml('pro', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price } }) }) })
const catalogOf = (price: string, rest: Partial<TenantCatalog> = {}): TenantCatalog => ({
  tenantKey: 1,
  // As each request does: the text is read anew, and parsed where nobody has seen it.
  versions: parseOnce(textOf(price)),
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

it('the relations of a catalog are made once, and are those that are made anew', () => {
  const relationsOf = keepRelations()
  const first = relationsOf([catalogOf('10')], ['USD'])
  expect(relationsOf([catalogOf('10')], ['USD'])).toBe(first)
  expect(first).toEqual(catalogRelations([catalogOf('10')], ['USD']))
})

it.each<[string, readonly [TenantCatalog[], string[]]]>([
  ['another text', [[catalogOf('11')], ['USD']]],
  ['another tenant', [[catalogOf('10', { tenantKey: 2 })], ['USD']]],
  ['another currency', [[catalogOf('10')], ['EUR', 'USD']]],
  ['an override', [[catalogOf('10', { overrides: override('8') })], ['USD']]],
  ['another price of it', [[catalogOf('10', { overrides: override('9') })], ['USD']]],
  ['a version switched off', [[catalogOf('10', { retired: parseOnce(textOf('3')) })], ['USD']]],
  ['names of phases in use', [[catalogOf('10', { phasesInUse: new Set(['pro-7-evergreen']) })], ['USD']]],
])('%s makes others, and the first come back with their catalog', (_name, other) => {
  const relationsOf = keepRelations()
  const first = relationsOf([catalogOf('10')], ['USD'])
  expect(relationsOf(...other)).not.toBe(first)
  expect(relationsOf(...other)).toEqual(catalogRelations(...other))
  expect(relationsOf([catalogOf('10')], ['USD'])).toBe(first)
})

it('with numbers that go on, relations that come back know all plans numbered since', () => {
  const relationsOf = keepNumberedRelations(numberPlans())
  const plans = () => relationsOf([catalogOf('10')], ['USD']).find(({ name }) => name === 'plan')?.rows.length
  expect(plans()).toBe(1)
  const other = catalogOf('10', { versions: parseOnce(textOf('10').replaceAll('pro', 'max')) })
  expect(relationsOf([other], ['USD']).find(({ name }) => name === 'plan')?.rows).toHaveLength(2)
  expect(plans()).toBe(2)
})

it('keeps the values asked for last, and nothing of what failed', () => {
  let made = 0
  const kept = keepLast<number>(2)
  const ask = (key: string) => kept(key, () => (made += 1))
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(ask)).toEqual([1, 2, 1, 3, 1, 4])
  expect(() =>
    kept('d', () => {
      throw new Error('unreadable')
    }),
  ).toThrow('unreadable')
  expect(ask('d')).toBe(5)
})

it('a kept relation is written out once for the statements that read it', () => {
  let written = 0
  const dialect = {
    ...postgres,
    inlineRelation(rows: Parameters<typeof postgres.inlineRelation>[0]) {
      written += 1
      return postgres.inlineRelation(rows)
    },
  }
  const [cells] = catalogRelations([catalogOf('10')], ['USD'])
  if (cells === undefined) throw new Error('there is no relation')
  const compile = () =>
    compileFragment({
      fragment: sql`select c.* from ${relation('catalog_cell')} as c`,
      catalog: CATALOG,
      inline: new Map([['catalog_cell', cells]]),
      params: {},
      dialect,
      label: 'test',
    })
  expect(compile()).toEqual(compile())
  expect(written).toBe(1)
})
