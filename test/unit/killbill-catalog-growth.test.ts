import { expect, it } from 'vitest'
import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import { tryParse } from '../../connectors/killbill/catalog/try-parse.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { priceBook } from '../support/oracles/killbill/fold/price-book.ts'

const PLANS = 12
const DAY = 86_400_000
const ROUNDS = 10

/** A catalog whose every version changes the prices of `changed` plans, as a synchronisation that uploads each change leaves behind. */
function manyVersions(count: number, changed: number, isMoved: boolean): string {
  const version = (number: number): string => {
    const effectiveDate = new Date(Date.UTC(2020, 0, 1) + number * DAY).toISOString()
    const plans = Array.from({ length: PLANS }, (_, plan) => {
      const price = (10 + plan + (plan < changed ? number / 100 : 0)).toFixed(2)
      const final = phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price, EUR: price } })
      return planXml(`plan-${plan}`, { final, ...(isMoved ? { existing: effectiveDate } : {}) })
    })
    return catalogXml({ effectiveDate, plans: plans.join('') })
  }
  return `<catalogs>${Array.from({ length: count }, (_, number) => version(number)).join('')}</catalogs>`
}

const versionsOf = (text: string) => {
  const parsed = tryParse(text)
  if (parsed instanceof Error) throw parsed
  return parsed
}
const made = (text: string) =>
  catalogRelations([{ tenantKey: 1, versions: versionsOf(text), overrides: new Map() }], ['EUR', 'USD'])
const priceRows = (text: string) => made(text).find(({ name }) => name === 'price')?.rows.length ?? 0

/** Processor time, in milliseconds. */
function spent(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * The smallest ratio of several rounds, up to the first one below `limit`. The processor time counts the compiler and
 * the collector of the process too. They spoil some rounds, but hardly all.
 */
function smallestRatio(large: () => unknown, small: () => unknown, limit: number): number {
  small()
  let smallest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && smallest >= limit; round += 1) {
    smallest = Math.min(smallest, spent(large) / Math.max(spent(small), 1))
  }
  return smallest
}

it.each([
  ['for who enters then', false],
  ['for all who have the plan', true],
])('there are as many price rows as prices that differ, %s', (_name, isMoved) => {
  const currencies = 2
  for (const changed of [0, 1, 10]) {
    const unchanged = PLANS * (currencies + 1)
    // Without a currency no plan has a price, and nothing to change.
    expect(priceRows(manyVersions(50, changed, isMoved))).toBe(unchanged + 49 * changed * currencies)
  }
})

it('four times the versions take about four times as long to read and to price, not sixteen', () => {
  const [few, many] = [manyVersions(100, PLANS, false), manyVersions(400, PLANS, false)]
  expect(priceRows(many) / priceRows(few)).toBeCloseTo(4, 0)
  // Four times the versions: 4 where the time grows with the prices, 16 with their square.
  const limit = 9
  expect(
    smallestRatio(
      () => made(many),
      () => made(few),
      limit,
    ),
  ).toBeLessThan(limit)
})

it('a price is looked up in the time of its own rows, not of all versions', () => {
  const asked = (count: number) => {
    const prices = priceBook(made(manyVersions(count, 1, false)))
    const entries = Array.from({ length: 1000 }, (_, place) =>
      new Date(Date.UTC(2020, 0, 1) + (place % count) * DAY).toISOString().slice(0, 19).replace('T', ' '),
    )
    prices.prices(1, 'plan-0-evergreen', 'USD', entries[0] ?? '')
    return () => {
      const found = entries.map((entered) => prices.prices(1, 'plan-0-evergreen', 'USD', entered).length)
      expect(new Set(found)).toEqual(new Set([1]))
    }
  }
  const limit = 8
  expect(smallestRatio(asked(400), asked(50), limit)).toBeLessThan(limit)
})
