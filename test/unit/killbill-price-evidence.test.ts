import { describe, expect, it } from 'vitest'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import type { TenantCatalog } from '../../connectors/killbill/catalog/tenant-catalog.ts'
import { priceInForce, priceNote } from '../../connectors/killbill/evidence/prices.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'

const priced = (price: string) => phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price } })
const [first, second] = [
  catalogXml({ effectiveDate: '2024-01-01', plans: planXml('pro', { final: priced('30') }) }),
  catalogXml({ effectiveDate: '2024-06-01', plans: planXml('pro', { final: priced('36'), existing: '2024-07-01' }) }),
].map((text) => parseCatalog(text)[0])
if (first === undefined || second === undefined) throw new Error('a catalog has no version')

const override = {
  record_id: 5,
  parent_plan_name: 'pro',
  phases: [{ parent_phase_name: 'pro-evergreen', currency: 'USD', recurring_price: '20.50' }],
}
const catalog: TenantCatalog = {
  tenantKey: 1,
  versions: [first, second],
  records: new Map([
    [first, 11],
    [second, 12],
  ]),
  overrides: new Map([[5, override]]),
}
const OVERRIDES = [
  {
    record_id: 9,
    target_plan_def_record_id: 5,
    parent_phase_name: 'pro-evergreen',
    currency: 'USD',
    recurring_price: '20.500000000',
  },
]

/** The record and sentence of the price for a phase that was entered and is asked about at these instants. */
function told(phase_name: string, entered: string, day: string, of: TenantCatalog = catalog) {
  const instant = (text: string) => `${text} 12:00:00`
  const asked = { tenantKey: 1, phase_name, currency: 'USD', entered_at: instant(entered), at: instant(day) }
  const found = priceInForce([of], asked)
  return found === undefined ? [] : priceNote(found, OVERRIDES)
}

describe('the record of a price', () => {
  it('is the version in force at the entry, until the price date of a newer one', () => {
    const of = 'price 30 USD MONTHLY of phase pro-evergreen in the catalog of 2024-01-01'
    expect(told('pro-evergreen', '2024-02-01', '2024-06-30')).toMatchObject([{ table: 'tenant_kvs', record_id: 11, note: of }])
    const moved = 'price 36 USD MONTHLY of phase pro-evergreen in the catalog of 2024-06-01, since the price date 2024-07-01'
    expect(told('pro-evergreen', '2024-02-01', '2024-07-01')).toEqual([
      { table: 'tenant_kvs', record_id: 12, id: null, occurred_at: '2024-07-01T00:00:00.000Z', note: moved },
    ])
    expect(told('pro-evergreen', '2024-06-02', '2024-06-30')).toMatchObject([
      { record_id: 12, note: 'price 36 USD MONTHLY of phase pro-evergreen in the catalog of 2024-06-01' },
    ])
  })

  it('is the price of the override that the plan names', () => {
    expect(told('pro-5-evergreen', '2024-02-01', '2024-08-01')).toMatchObject([
      {
        table: 'catalog_override_phase_definition',
        record_id: 9,
        note: 'price 20.5 USD MONTHLY by override 5 of phase pro-evergreen',
      },
    ])
  })

  it('is nothing for a phase that no version has, and for a catalog that is not in the database', () => {
    expect(told('max-evergreen', '2024-02-01', '2024-08-01')).toEqual([])
    expect(told('pro-trial', '2024-02-01', '2024-08-01')).toEqual([])
    expect(told('pro-evergreen', '2024-02-01', '2024-06-30', { ...catalog, records: new Map() })).toEqual([])
  })
})
