import { describe, expect, it } from 'vitest'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import { phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { catalogOf, monthlyPlan } from '../support/data/scenario-tables.ts'
import { priceBook } from '../support/oracles/killbill/fold/price-book.ts'

const METERED = planXml('meter', { final: phaseXml('EVERGREEN', { usage: true }) })

function bookOf(...catalogs: readonly string[]) {
  return priceBook(
    catalogRelations([{ tenantKey: 1, versions: catalogs.flatMap(parseCatalog), overrides: new Map() }], ['EUR', 'USD']),
  )
}

describe('phases that may have usage (D29, rule 4)', () => {
  const book = bookOf(catalogOf(METERED, monthlyPlan('flat', '50')))

  it.each([
    ['meter-evergreen', true],
    ['flat-evergreen', false],
    ['unknown-evergreen', true],
  ])('%s: %s', (phase, expected) => {
    expect(book.mayHaveUsage(1, phase)).toBe(expected)
  })

  it('any phase of a tenant without a catalog', () => {
    expect(book.mayHaveUsage(2, 'flat-evergreen')).toBe(true)
  })
})

describe('price rows', () => {
  it('are the same objects each time, by phase, currency and entry', () => {
    const book = bookOf(catalogOf(monthlyPlan('flat', '50')))
    const rows = book.prices(1, 'flat-evergreen', 'USD', '2025-03-01 00:00:00')
    expect(rows.map((row) => row.price)).toEqual(['50'])
    expect(book.prices(1, 'flat-evergreen', 'USD', '2025-04-01 00:00:00')[0]).toBe(rows[0])
    expect(book.prices(1, 'flat-evergreen', 'EUR', '2025-03-01 00:00:00').map((row) => row.price)).toEqual([null])
    expect(book.prices(1, 'flat-evergreen', 'GBP', '2025-03-01 00:00:00')).toEqual([])
  })
})
