import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { priceRowsOf } from '../support/data/catalogs/price-rows.ts'
import { PROPERTY_FACTOR } from '../support/data/property-runs.ts'
import { priceBook } from '../support/oracles/killbill/fold/price-book.ts'
import { type CatalogEdition, priceByTheRule } from '../support/oracles/price-by-the-rule.ts'

function relationsOf(editions: readonly CatalogEdition[]) {
  const versions = editions.flatMap((edition) =>
    parseCatalog(
      catalogXml({
        effectiveDate: edition.from,
        plans:
          planXml('other') +
          (edition.price === undefined
            ? ''
            : planXml('p', {
                ...(edition.existing === undefined ? {} : { existing: edition.existing }),
                final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: edition.price } }),
              })),
      }),
    ),
  )
  return catalogRelations([{ tenantKey: 1, versions, overrides: new Map() }], ['USD'])
}

function sqlText(instant: string): string {
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
}

/** Prices that apply at `at` to who entered the plan at `entered`; never more than one. */
function pricesAt(relations: ReturnType<typeof relationsOf>, at: string, entered: string): (string | null)[] {
  return priceBook(relations)
    .prices(1, 'p-evergreen', 'USD', sqlText(entered))
    .filter(({ from, to }) => from <= sqlText(at) && sqlText(at) < to)
    .map(({ price }) => price)
}

/** Price that applies at `at` to who entered the plan at `entered`. */
function priceAt(editions: readonly CatalogEdition[], at: string, entered: string): string | null {
  return pricesAt(relationsOf(editions), at, entered)[0] ?? null
}

const V1 = { from: '2024-01-01', price: '1' }

describe('which catalog version applies (KB 3.5)', () => {
  it('keeps the version in force when the subscription entered the plan', () => {
    const editions = [V1, { from: '2024-06-01', price: '2' }]
    expect(priceAt(editions, '2024-12-01', '2024-05-31')).toBe('1')
    expect(priceAt(editions, '2024-12-01', '2024-06-01')).toBe('2')
  })

  it('moves on at the date for existing subscriptions, not at the version’s own date', () => {
    const editions = [V1, { from: '2024-06-01', existing: '2024-07-01', price: '2' }]
    expect(priceAt(editions, '2024-06-30T23:59:59Z', '2024-05-01')).toBe('1')
    expect(priceAt(editions, '2024-07-01', '2024-05-01')).toBe('2')
  })

  it('does not look at a version before it begins, even when its date for existing subscriptions has passed', () => {
    const editions = [V1, { from: '2024-06-01', existing: '2024-02-01', price: '2' }]
    expect(priceAt(editions, '2024-05-31', '2024-01-15')).toBe('1')
    expect(priceAt(editions, '2024-06-01', '2024-01-15')).toBe('2')
  })

  it('takes the newest version whose date has passed', () => {
    const editions = [
      V1,
      { from: '2024-03-01', existing: '2024-04-01', price: '2' },
      { from: '2024-05-01', existing: '2024-08-01', price: '3' },
    ]
    expect(priceAt(editions, '2024-07-31', '2024-01-15')).toBe('2')
    expect(priceAt(editions, '2024-08-01', '2024-01-15')).toBe('3')
    expect(priceAt(editions, '2024-06-01', '2024-05-02')).toBe('3')
  })

  it('falls back to the first version for an instant before every version', () => {
    expect(priceAt([V1, { from: '2024-06-01', price: '2' }], '2023-01-01', '2023-01-01')).toBe('1')
  })

  it('skips versions without the plan', () => {
    const editions = [V1, { from: '2024-03-01' }, { from: '2024-05-01', price: '3' }]
    expect(priceAt(editions, '2024-04-01', '2024-04-01')).toBe('1')
    expect(priceAt(editions, '2024-12-01', '2024-04-01')).toBe('1')
  })

  it('remembers the newest version without a date where the first version has no such plan', () => {
    const editions = [{ from: '2024-01-01' }, { from: '2024-03-01', price: '2' }, { from: '2024-05-01', price: '3' }]
    expect(priceAt(editions, '2024-02-01', '2024-01-15')).toBeNull()
    expect(priceAt(editions, '2024-04-01', '2024-01-15')).toBe('2')
    expect(priceAt(editions, '2024-06-01', '2024-01-15')).toBe('3')
  })

  it('finds no price while the only version with the plan waits for its date', () => {
    const editions = [{ from: '2024-01-01' }, { from: '2024-03-01', existing: '2024-09-01', price: '2' }]
    expect(priceAt(editions, '2024-06-01', '2024-01-15')).toBeNull()
    expect(priceAt(editions, '2024-09-01', '2024-01-15')).toBe('2')
  })

  it('of two versions with one date the later row counts', () => {
    expect(priceAt([V1, { from: '2024-01-01', price: '9' }], '2024-02-01', '2024-01-15')).toBe('9')
  })

  it('a plan that was retired and brought back with a date does not move those who still have it', () => {
    const editions = [V1, { from: '2024-03-01' }, { from: '2024-05-01', existing: '2024-06-01', price: '3' }]
    expect(priceAt(editions, '2024-12-01', '2024-01-15')).toBe('1')
    expect(priceAt(editions, '2024-12-01', '2024-05-01')).toBe('3')
    const later = [...editions, { from: '2024-07-01', existing: '2024-08-01', price: '4' }]
    expect(priceAt(later, '2024-12-01', '2024-01-15')).toBe('1')
    expect(priceAt(later, '2024-12-01', '2024-05-01')).toBe('4')
  })

  it('of dates in reverse order the newest version whose date has come counts', () => {
    const editions = [
      V1,
      { from: '2024-03-01', existing: '2024-09-01', price: '2' },
      { from: '2024-05-01', existing: '2024-06-01', price: '3' },
    ]
    expect(priceAt(editions, '2024-05-31', '2024-01-15')).toBe('1')
    expect(priceAt(editions, '2024-12-01', '2024-01-15')).toBe('3')
    expect(priceAt(editions, '2024-12-01', '2024-04-01')).toBe('3')
  })
})

describe('price rows and the rule (KB 3.5)', () => {
  const day = (month: number) => new Date(Date.UTC(2024, month, 1)).toISOString()
  const edition = fc.record({
    price: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined, freq: 5 }),
    existing: fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined, freq: 2 }),
  })
  const history = fc.array(edition, { minLength: 1, maxLength: 7 }).map((parts) =>
    parts.map(({ price, existing }, index): CatalogEdition => {
      // Every other month a version, so that there are instants between.
      const parted = { from: day(2 * index + 1) }
      if (price === undefined) return parted
      return existing === undefined ? { ...parted, price } : { ...parted, price, existing: day(existing) }
    }),
  )
  const months = Array.from({ length: 17 }, (_, month) => month)
  const instants = months.flatMap((month) => (month < 16 ? [[month, month] as const, [month, month + 1] as const] : []))

  it('say the same at every instant for every entry, and one price only', () => {
    fc.assert(
      fc.property(history, (editions) => {
        const relations = relationsOf(editions)
        const isKnown = editions.some(({ price }) => price !== undefined)
        for (const [entered] of instants) {
          for (const at of months.filter((month) => month >= entered)) {
            const wanted = priceByTheRule(editions, day(at), day(entered))
            expect(pricesAt(relations, day(at), day(entered)), `${entered} ${at}`).toEqual(isKnown ? [wanted] : [])
          }
        }
      }),
      { numRuns: 150 * PROPERTY_FACTOR },
    )
  })

  it('are no more than twice the changes of the price, however many versions repeat it', () => {
    fc.assert(
      fc.property(history, (editions) => {
        const repeated = editions.flatMap((one, index) =>
          Array.from({ length: 20 }, (_, copy) => ({
            ...one,
            from: new Date(Date.UTC(2024, 2 * index + 1, 1 + copy)).toISOString(),
          })),
        )
        const rows = priceRowsOf(relationsOf(repeated), 'p-evergreen', 'USD').length
        expect(rows).toBeGreaterThan(editions.some(({ price }) => price !== undefined) ? 0 : -1)
        expect(rows).toBeLessThanOrEqual(2 * (2 * editions.length + 1))
      }),
      { numRuns: 30 * PROPERTY_FACTOR },
    )
  })
})
