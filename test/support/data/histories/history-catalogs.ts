import { catalogXml, phaseXml, planXml } from '../catalogs/catalog-xml.ts'

const PERIODS = [
  'DAILY',
  'WEEKLY',
  'BIWEEKLY',
  'THIRTY_DAYS',
  'THIRTY_ONE_DAYS',
  'SIXTY_DAYS',
  'NINETY_DAYS',
  'MONTHLY',
  'BIMESTRIAL',
  'QUARTERLY',
  'TRIANNUAL',
  'BIANNUAL',
  'ANNUAL',
  'SESQUIENNIAL',
  'BIENNIAL',
  'TRIENNIAL',
] as const

const PRODUCTS = [
  '<product name="Pro"><category>BASE</category><available><addonProduct>Seats</addonProduct><addonProduct>Extra</addonProduct></available></product>',
  '<product name="Bare"><category>BASE</category></product>',
  '<product name="Full"><category>BASE</category><included><addonProduct>Seats</addonProduct></included><available><addonProduct>Seats</addonProduct><addonProduct>Extra</addonProduct></available></product>',
  '<product name="Seats"><category>ADD_ON</category></product>',
  '<product name="Extra"><category>ADD_ON</category></product>',
  '<product name="Alone"><category>STANDALONE</category></product>',
].join('')

/** Stored plan names with their phases in order, by the category that may have them. */
export const PLANS: Readonly<Record<'BASE' | 'ADD_ON' | 'STANDALONE', Readonly<Record<string, readonly string[]>>>> = {
  BASE: {
    ...Object.fromEntries(PERIODS.map((period) => [planOf(period), ['evergreen']])),
    phased: ['trial', 'discount', 'evergreen'],
    bare: ['trial', 'evergreen'],
    full: ['evergreen'],
    term: ['trial', 'fixedterm'],
    never: ['evergreen'],
    odd: ['evergreen'],
    dollars: ['evergreen'],
    lapsing: ['evergreen'],
    meter: ['evergreen'],
    metered: ['trial', 'evergreen'],
    late: ['evergreen'],
    gone: ['evergreen'],
    ghost: ['evergreen'],
    'p-monthly-1': ['evergreen'],
    'p-monthly:1': ['evergreen'],
    'phased-2': ['trial', 'discount', 'evergreen'],
    'year-2024': ['evergreen'],
  },
  ADD_ON: { seats: ['trial', 'evergreen'], extra: ['evergreen'] },
  STANDALONE: { alone: ['evergreen'], 'p-weekly': ['evergreen'], metered: ['trial', 'evergreen'] },
}

function planOf(period: string): string {
  return `p-${period.toLowerCase().replaceAll('_', '')}`
}

/** Versions of the first tenant: new prices for newcomers, for everybody from a later date, and plans that come and go. */
export const FIRST_CATALOG: readonly string[] = [
  version('2023-06-01', 1, { only: ['gone'] }),
  version('2024-03-01', 1.13, { only: ['gone', 'late'], existing: '2024-03-16T12:00:00Z' }),
  version('2024-07-01', 0.87, { only: ['late'] }),
]

/** Versions of the second tenant. */
export const SECOND_CATALOG: readonly string[] = [
  version('2024-02-01', 1.5, { only: ['gone'] }),
  version('2024-06-01', 1.6, { only: ['gone'], existing: '2024-09-30T23:59:59Z' }),
]

interface VersionParts {
  /** Which of the passing plans it has. */
  readonly only: readonly ('late' | 'gone')[]
  readonly existing?: string
}

function version(day: string, factor: number, { only, existing }: VersionParts): string {
  const dated = existing === undefined ? {} : { existing }
  const prices = (amount: number) => ({
    USD: (amount * factor).toFixed(3),
    EUR: (amount * factor * 0.9).toFixed(4),
    KWD: (amount * factor * 0.3).toFixed(3),
  })
  const final = (period: string, amount: number, usage = false) =>
    phaseXml('EVERGREEN', { period, prices: prices(amount), usage })
  const trial = phaseXml('TRIAL', { unit: 'DAYS', number: 15, period: 'MONTHLY', prices: prices(1) })
  const discount = phaseXml('DISCOUNT', { unit: 'MONTHS', number: 3, period: 'MONTHLY', prices: prices(11.11) })
  const term = phaseXml('FIXEDTERM', { unit: 'MONTHS', number: 1, period: 'MONTHLY', prices: prices(90) })
  return catalogXml({
    effectiveDate: `${day}T00:00:00Z`,
    products: PRODUCTS,
    plans: [
      ...PERIODS.map((period, index) =>
        planXml(planOf(period), {
          product: 'Pro',
          final: final(period, 10.05 * (index + 1), index % 3 > 0),
          ...(index % 2 === 0 ? dated : {}),
        }),
      ),
      planXml('phased', {
        product: 'Pro',
        pretty: 'Phased',
        initial: trial + discount,
        final: final('MONTHLY', 29.995, true),
        ...dated,
      }),
      planXml('bare', { product: 'Bare', initial: trial, final: final('MONTHLY', 5), ...dated }),
      planXml('full', { product: 'Full', final: final('ANNUAL', 1000) }),
      planXml('term', { product: 'Pro', initial: trial, final: term }),
      planXml('never', { product: 'Bare', final: final('NO_BILLING_PERIOD', 3) }),
      planXml('odd', { product: 'Bare', final: final('FORTNIGHTLY', 3) }),
      planXml('dollars', { product: 'Pro', final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '7' } }) }),
      // Costs nothing at first; later versions have no price for those who have it.
      planXml('lapsing', {
        product: 'Pro',
        final: phaseXml('EVERGREEN', {
          period: 'MONTHLY',
          prices: existing === undefined ? { USD: '0', EUR: '0' } : { GBP: '5' },
        }),
        ...dated,
      }),
      planXml('meter', { product: 'Pro', final: phaseXml('EVERGREEN', { usage: true }) }),
      planXml('metered', { product: 'Pro', initial: trial, final: final('MONTHLY', 10, true), ...dated }),
      planXml('year-2024', { product: 'Pro', final: final('ANNUAL', 120) }),
      ...only.map((name) => planXml(name, { product: 'Pro', final: final('MONTHLY', 42), ...dated })),
      planXml('seats', { product: 'Seats', initial: trial, final: final('MONTHLY', 4.005), ...dated }),
      planXml('extra', { product: 'Extra', final: final('QUARTERLY', 8) }),
      planXml('alone', { product: 'Alone', final: final('MONTHLY', 15) }),
    ].join(''),
  })
}
