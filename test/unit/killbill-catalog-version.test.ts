import { describe, expect, it } from 'vitest'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { editionInForce, editionsOf, sortVersions } from '../../connectors/killbill/catalog/version.ts'
import { catalogXml, phaseXml, planXml } from '../support/catalog-xml.ts'

interface Edition {
  readonly from: string
  /** Date for existing subscriptions; null = none; the plan is absent where `price` is. */
  readonly existing?: string
  readonly price?: string
}

/** Price that applies at `at` to who entered the plan at `entered`. */
function priceAt(editions: readonly Edition[], at: string, entered: string): string | null {
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
  const resolved = editionInForce(editionsOf(sortVersions(versions), new Map(), 'p'), new Date(at), new Date(entered))
  return resolved?.plan.phases[0]?.recurring?.prices.get('USD') ?? null
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
})
