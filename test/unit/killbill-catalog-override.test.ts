import { describe, expect, it } from 'vitest'
import {
  ambiguousPlanNames,
  delimiterInUse,
  type OverrideDelimiter,
  overrideNames,
  type PlanOverrides,
  readOverrideName,
  resolvePlan,
} from '../../connectors/killbill/catalog/override.ts'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'

const prices = { USD: '30', EUR: '25' }
const [version] = parseCatalog(
  catalogXml({
    plans: [
      planXml('foo', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices }) }),
      planXml('foo-2024', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '99' } }) }),
      planXml('bar-2024', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '77' } }) }),
      planXml('gift', { final: phaseXml('EVERGREEN', { period: 'MONTHLY' }) }),
    ].join(''),
  }),
)

function pricesOf(
  planName: string,
  overrides: PlanOverrides = new Map(),
  delimiter: OverrideDelimiter = '-',
): Record<string, string | null> | null {
  const resolved = version === undefined ? null : resolvePlan(version, planName, { overrides, delimiter })
  return resolved === null ? null : Object.fromEntries(resolved.plan.phases[0]?.recurring?.prices ?? [])
}

function override(parent: string, currency: string, recurringPrice: string | null): PlanOverrides {
  const phase = { parent_phase_name: `${parent}-evergreen`, currency, recurring_price: recurringPrice }
  return new Map([[12, { record_id: 12, parent_plan_name: parent, phases: [phase] }]])
}

describe('price overrides (KB 3.6)', () => {
  it('reads the longest parent name, either separator and the number', () => {
    expect(readOverrideName('foo-monthly-12')).toEqual({ parent: 'foo-monthly', delimiter: '-', number: 12 })
    expect(readOverrideName('foo-1-2')).toEqual({ parent: 'foo-1', delimiter: '-', number: 2 })
    expect(readOverrideName('foo:7')).toEqual({ parent: 'foo', delimiter: ':', number: 7 })
    expect(readOverrideName('foo-monthly')).toBeNull()
    expect(readOverrideName('12')).toBeNull()
    expect(overrideNames({ record_id: 12, parent_plan_name: 'foo', phases: [] })).toEqual(['foo-12', 'foo:12'])
  })

  it('replaces the value of its currency and keeps the others', () => {
    expect(pricesOf('foo-12', override('foo', 'USD', '12.500000000'))).toEqual({ USD: '12.500000000', EUR: '25' })
    expect(pricesOf('foo:12', override('foo', 'EUR', '0'))).toEqual({ USD: '30', EUR: '0' })
  })

  it('keeps the parent’s price where the override has none', () => {
    expect(pricesOf('foo-12', override('foo', 'USD', null))).toEqual(prices)
  })

  it('has no effect where the parent does not list the currency', () => {
    expect(pricesOf('foo-12', override('foo', 'GBP', '1'))).toEqual(prices)
  })

  it('becomes the only price where the parent’s list is empty', () => {
    expect(pricesOf('gift-12', override('gift', 'GBP', '5'))).toEqual({ GBP: '5' })
    expect(pricesOf('gift-12', override('gift', 'GBP', null))).toEqual({})
  })

  it('is read before the plain name, and only where the version has the parent', () => {
    expect(pricesOf('foo-2024')).toEqual(prices)
    expect(pricesOf('bar-2024')).toEqual({ USD: '77' })
    expect(pricesOf('baz-3')).toBeNull()
  })

  it('on a server that writes a colon, a hyphen and a number are part of a plan’s own name', () => {
    expect(pricesOf('foo-2024', new Map(), ':')).toEqual({ USD: '99' })
    expect(pricesOf('foo-2024', override('foo', 'USD', '1'), ':')).toEqual({ USD: '99' })
    expect(pricesOf('foo:12', override('foo', 'USD', '1'), ':')).toEqual({ USD: '1', EUR: '25' })
    expect(pricesOf('foo:7', new Map(), ':')).toEqual(prices)
  })

  it('a name of an override that was made under the other setting is read where no plan has it', () => {
    expect(pricesOf('foo-12', override('foo', 'USD', '1'), ':')).toEqual({ USD: '1', EUR: '25' })
    expect(pricesOf('foo:12', override('foo', 'USD', '1'), '-')).toEqual({ USD: '1', EUR: '25' })
    expect(pricesOf('foo-7', new Map(), ':')).toBeNull()
  })

  it('the newest override whose name can be nothing else shows the delimiter', () => {
    const definitions: PlanOverrides = new Map(
      [3, 9, 2024].map((record_id) => [record_id, { record_id, parent_plan_name: 'foo', phases: [] }]),
    )
    const isPlain = (name: string) => name === 'foo-2024'
    const shown = (...names: string[]) => delimiterInUse(names, definitions, isPlain)?.delimiter
    expect(shown('foo', 'foo-2024', 'foo-5', 'bar:3')).toBeUndefined()
    expect(shown('foo-3', 'foo-2024')).toBe('-')
    expect(shown('foo-3', 'foo:9')).toBe(':')
    expect(shown('foo:3', 'foo-9')).toBe('-')
  })

  it('names that can be read both ways are those of plain plans whose parent is a plan too', () => {
    expect(ambiguousPlanNames(version === undefined ? [] : [version])).toEqual(['foo-2024'])
  })

  it('keeps the parent’s name as the plan’s identity', () => {
    if (version === undefined) throw new Error('no version')
    expect(resolvePlan(version, 'foo-12', { overrides: override('foo', 'USD', '1') })?.plan.name).toBe('foo')
  })
})
