import { describe, expect, it } from 'vitest'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import type { TenantCatalog } from '../../connectors/killbill/catalog/tenant-catalog.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'

type Cells = Readonly<Record<string, unknown>>

const FIRST = null
const LAST = null

function tenant(xmls: readonly string[], more: Partial<TenantCatalog> = {}): TenantCatalog {
  return { tenantKey: 1, versions: xmls.flatMap(parseCatalog), overrides: new Map(), ...more }
}

/** Rows of one of the relations as objects. */
function rowsOf(name: string, catalogs: readonly TenantCatalog[], currencies: readonly string[] = ['USD']): Cells[] {
  const relation = catalogRelations(catalogs, currencies).find((candidate) => candidate.name === name)
  if (relation === undefined) throw new Error(`no relation ${name}`)
  for (const row of relation.rows) expect(row.length).toBe(relation.columns.length)
  const rows = relation.rows.map((row) => Object.fromEntries(relation.columns.map((column, index) => [column.name, row[index]])))
  if (name !== 'price') return rows
  const lines = new Map(rowsOf('price_line', catalogs, currencies).map((line) => [line['line_key'], line]))
  return rows.map((row) => ({ ...lines.get(row['line_key']), ...row }))
}

function usd(price: string, period = 'MONTHLY'): string {
  return phaseXml('EVERGREEN', { period, prices: { USD: price } })
}

const V1 = catalogXml({
  effectiveDate: '2024-01-01',
  plans: planXml('pro', { final: usd('30') }) + planXml('max', { final: usd('50') }),
})
const V2 = catalogXml({
  effectiveDate: '2024-06-01',
  plans: planXml('pro', { final: usd('36'), existing: '2024-07-01' }) + planXml('max', { final: usd('60') }),
})

describe('price rows', () => {
  it('are rectangles: when the plan was entered, and the stretch of time', () => {
    const prices = rowsOf('price', [tenant([V2, V1])]).filter((row) => row['currency'] === 'USD')
    expect(
      prices.map((row) => [
        row['phase_name'],
        row['entered_from'],
        row['entered_to'],
        row['from_at'],
        row['to_at'],
        row['price'],
      ]),
    ).toEqual([
      ['pro-evergreen', FIRST, '2024-06-01 00:00:00', FIRST, '2024-07-01 00:00:00', '30'],
      ['pro-evergreen', FIRST, '2024-06-01 00:00:00', '2024-07-01 00:00:00', LAST, '36'],
      ['pro-evergreen', '2024-06-01 00:00:00', LAST, FIRST, LAST, '36'],
      ['max-evergreen', FIRST, '2024-06-01 00:00:00', FIRST, LAST, '50'],
      ['max-evergreen', '2024-06-01 00:00:00', LAST, FIRST, LAST, '60'],
    ])
  })

  it('join versions with equal facts, and who enters on the day with who is moved that day', () => {
    const plan = (day: string, price: string, existing?: string) =>
      catalogXml({
        effectiveDate: day,
        plans: planXml('pro', { final: usd(price), ...(existing === undefined ? {} : { existing }) }),
      })
    const rows = (...xmls: string[]) =>
      rowsOf('price', [tenant(xmls)])
        .filter((row) => row['currency'] === 'USD')
        .map((row) => [row['entered_from'], row['entered_to'], row['from_at'], row['to_at'], row['price']])
    expect(rows(plan('2024-01-01', '30'), plan('2024-03-01', '30', '2024-04-01'))).toEqual([[FIRST, LAST, FIRST, LAST, '30']])
    expect(rows(plan('2024-01-01', '30'), plan('2024-03-01', '36', '2024-03-01'))).toEqual([
      [FIRST, '2024-03-01 00:00:00', FIRST, '2024-03-01 00:00:00', '30'],
      [FIRST, LAST, '2024-03-01 00:00:00', LAST, '36'],
    ])
    expect(rowsOf('price', [tenant([])])).toEqual([])
  })

  it('leave no gap while a plan is in no version yet', () => {
    const rows = rowsOf('price', [tenant([catalogXml({ plans: planXml('old') }), V2])]).filter(
      (row) => row['phase_name'] === 'pro-evergreen' && row['currency'] === 'USD' && row['entered_from'] === FIRST,
    )
    expect(rows.map((row) => [row['from_at'], row['to_at'], row['price'], row['has_usage'], row['plan_key'] === null])).toEqual([
      [FIRST, '2024-07-01 00:00:00', null, true, true],
      ['2024-07-01 00:00:00', LAST, '36', false, false],
    ])
  })

  it('tell zero from unpriced', () => {
    const plans = [
      planXml('trial', { initial: phaseXml('TRIAL', { unit: 'DAYS', number: 9, period: 'MONTHLY', prices: { USD: '5' } }) }),
      planXml('fee', { final: phaseXml('EVERGREEN', { usage: true }) }),
      planXml('gift', { final: phaseXml('EVERGREEN', { period: 'MONTHLY' }) }),
      planXml('euro', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { EUR: '1' } }) }),
      planXml('odd', { final: usd('7', 'FORTNIGHTLY') }),
      planXml('never', { final: usd('7', 'NO_BILLING_PERIOD') }),
    ]
    const rows = rowsOf('price', [tenant([catalogXml({ plans: plans.join('') })])])
    const price = (phase: string, currency: string) =>
      rows.find((row) => row['phase_name'] === phase && row['currency'] === currency)
    expect(price('trial-trial', 'USD')?.['price']).toBe('0')
    expect(price('fee-evergreen', '')).toMatchObject({ price: '0', has_usage: true })
    expect(price('gift-evergreen', '')?.['price']).toBe('0')
    expect(price('euro-evergreen', 'USD')?.['price']).toBeNull()
    expect(price('odd-evergreen', 'USD')?.['price']).toBeNull()
    expect(price('never-evergreen', 'USD')).toMatchObject({ price: '7', month_numerator: 0, month_denominator: 1 })
    expect(price('never-evergreen', '')?.['price']).toBeNull()
  })

  it('give overrides the names they may be stored under, or only those in use', () => {
    const overrides = new Map([
      [
        7,
        {
          record_id: 7,
          parent_plan_name: 'pro',
          phases: [{ parent_phase_name: 'pro-evergreen', currency: 'USD', recurring_price: '20' }],
        },
      ],
    ])
    const names = (more: Partial<TenantCatalog>) =>
      rowsOf('price', [tenant([V1], { overrides, ...more })])
        .filter((row) => row['currency'] === 'USD')
        .map((row) => [row['phase_name'], row['price']])
    expect(names({})).toEqual([
      ['pro-evergreen', '30'],
      ['max-evergreen', '50'],
      ['pro-7-evergreen', '20'],
      ['pro:7-evergreen', '20'],
    ])
    expect(names({ phasesInUse: new Set(['pro:7-evergreen']) }).map(([name]) => name)).toEqual([
      'pro-evergreen',
      'max-evergreen',
      'pro:7-evergreen',
    ])
  })

  it('read versions that are switched off only for plans that no other version has', () => {
    const rows = rowsOf('price', [tenant([V2], { retired: parseCatalog(V1.replace('name="max"', 'name="gone"')) })])
    const price = (phase: string) =>
      rows.filter((row) => row['phase_name'] === phase && row['currency'] === 'USD').map((row) => row['price'])
    expect(price('gone-evergreen')).toEqual(['50'])
    expect(price('pro-evergreen')).toEqual(['36'])
  })

  it('keep tenants apart', () => {
    const other = { ...tenant([V2]), tenantKey: 2 }
    const rows = rowsOf('price', [tenant([V1]), other]).filter(
      (row) => row['currency'] === 'USD' && row['phase_name'] === 'max-evergreen',
    )
    expect(rows.map((row) => [row['tenant_key'], row['price']])).toEqual([
      [1, '50'],
      [2, '60'],
    ])
  })
})

describe('cents per month (D23)', () => {
  const whole: Readonly<Record<string, [number, number]>> = {
    DAILY: [30_000, 912_500],
    WEEKLY: [30_000, 130_000],
    BIWEEKLY: [30_000, 65_000],
    THIRTY_DAYS: [30_000, 30_416],
    THIRTY_ONE_DAYS: [30_000, 29_435],
    SIXTY_DAYS: [30_000, 15_208],
    NINETY_DAYS: [30_000, 10_138],
    MONTHLY: [30_000, 30_000],
    BIMESTRIAL: [30_001, 15_000],
    QUARTERLY: [30_001, 10_000],
    TRIANNUAL: [30_003, 7_500],
    BIANNUAL: [30_005, 5_000],
    ANNUAL: [30_011, 2_500],
    SESQUIENNIAL: [30_000, 1_666],
    BIENNIAL: [30_000, 1_250],
    TRIENNIAL: [30_000, 833],
  }

  it.each(Object.entries(whole))('%s', (period, [amount, cents]) => {
    const [row] = rowsOf('price', [tenant([catalogXml({ plans: planXml('p', { final: usd('1', period) }) })])])
    const [numerator, denominator] = [BigInt(Number(row?.['month_numerator'])), BigInt(Number(row?.['month_denominator']))]
    expect(Number((BigInt(amount) * numerator) / denominator)).toBe(cents)
  })
})

describe('plan facts (D61)', () => {
  it('come from the edition in force, an override’s from its parent', () => {
    const usage = phaseXml('EVERGREEN', { usage: true })
    const both = phaseXml('EVERGREEN', { period: 'ANNUAL', prices: { USD: '9' }, usage: true })
    const products =
      '<product name="Thing"><category>BASE</category></product><product name="Other"><category>STANDALONE</category></product>'
    const plans = planXml('metered', { final: usage }) + planXml('mixed', { final: both, pretty: 'Mixed', product: 'Other' })
    const overrides = new Map([[3, { record_id: 3, parent_plan_name: 'mixed', phases: [] }]])
    const catalog = tenant([catalogXml({ products, plans })], { overrides })
    expect(rowsOf('plan', [catalog]).map(({ plan_key: _key, ...facts }) => facts)).toEqual([
      {
        plan_id: 'metered',
        plan_name: 'metered',
        billing_period: 'NO_BILLING_PERIOD',
        plan_interval: null,
        pricing_model: 'usage_based',
        usage_type: 'metered',
        product_name: 'Thing',
        product_category: 'BASE',
      },
      {
        plan_id: 'mixed',
        plan_name: 'Mixed',
        billing_period: 'ANNUAL',
        plan_interval: 'year',
        pricing_model: 'flat',
        usage_type: 'metered',
        product_name: 'Other',
        product_category: 'STANDALONE',
      },
    ])
    const keys = rowsOf('price', [catalog]).filter((row) => String(row['phase_name']).startsWith('mixed'))
    expect(new Set(keys.map((row) => row['plan_key'])).size).toBe(1)
  })
})

describe('ends that follow from the catalog (KB 2.6, 2.7)', () => {
  it('fixed terms: only final FIXEDTERM phases, in months and days', () => {
    const term = (unit: string, number: number) =>
      phaseXml('FIXEDTERM', { unit, number, period: 'MONTHLY', prices: { USD: '1' } })
    const plans = [
      planXml('year', { final: term('YEARS', 1) }),
      planXml('months', { final: term('MONTHS', 9) }),
      planXml('weeks', { final: term('WEEKS', 2) }),
      planXml('first', { initial: term('DAYS', 10), final: usd('1') }),
      planXml('twice', { initial: term('DAYS', 10), final: term('DAYS', 20) }),
    ]
    const rows = rowsOf('fixed_term', [tenant([catalogXml({ plans: plans.join('') })])])
    expect(rows.map(({ tenant_key: _key, ...row }) => Object.values(row))).toEqual([
      ['year-fixedterm', FIRST, LAST, FIRST, LAST, 12, 0],
      ['months-fixedterm', FIRST, LAST, FIRST, LAST, 9, 0],
      ['weeks-fixedterm', FIRST, LAST, FIRST, LAST, 0, 14],
    ])
  })

  it('add-ons: which products a base plan excludes or includes, version by version', () => {
    const addons = ['Seats', 'Support'].map((name) => `<product name="${name}"><category>ADD_ON</category></product>`).join('')
    const list = (tag: string, names: readonly string[]) =>
      `<${tag}>${names.map((name) => `<addonProduct>${name}</addonProduct>`).join('')}</${tag}>`
    const version = (day: string, lists: string) =>
      catalogXml({
        effectiveDate: day,
        products: `<product name="Pro"><category>BASE</category>${lists}</product>${addons}`,
        plans: planXml('pro', { product: 'Pro' }) + planXml('seats', { product: 'Seats' }),
      })
    const catalog = tenant([
      version('2024-01-01', list('available', ['Seats'])),
      version('2024-06-01', list('available', ['Seats', 'Support']) + list('included', ['Seats'])),
    ])
    expect(rowsOf('base_addon', [catalog])).toEqual([
      { tenant_key: 1, base_plan: 'pro', addon_product: 'Seats', from_at: '2024-06-01 00:00:00', to_at: LAST },
      { tenant_key: 1, base_plan: 'pro', addon_product: 'Support', from_at: FIRST, to_at: '2024-06-01 00:00:00' },
    ])
    expect(rowsOf('addon_plan', [catalog]).map(({ tenant_key: _key, ...row }) => Object.values(row))).toEqual([
      ['seats', FIRST, LAST, FIRST, LAST, 'Seats'],
    ])
  })
})
