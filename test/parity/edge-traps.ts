import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'

/** A scenario at the edge of a rule, and what fold and SQL say of it, worked out by hand. */
export interface EdgeTrap {
  readonly scenario: Scenario
  /** Spans by subscription, as `spanLines` writes them. */
  readonly spans?: Readonly<Record<string, readonly string[]>>
  /** Paid invoices: id, instant, cents. */
  readonly paid?: readonly string[]
  /** Usage charges: day, cents. */
  readonly charges?: readonly string[]
  /** The open amount of each invoice, in cents; the fold does not know it. */
  readonly balances?: Readonly<Record<string, number>>
}

const WRITTEN_OFF = { object_type: 'INVOICE', tag_definition_id: '00000000-0000-0000-0000-000000000004' }
const METER = catalogXml({ plans: planXml('meter', { final: phaseXml('EVERGREEN', { usage: true }) }) })
const METERED: Scenario['subscriptions'] = { S: { events: [['2015-01-01', 'CREATE', 'meter-evergreen']] } }
const FIXED_TERM = phaseXml('FIXEDTERM', { unit: 'MONTHS', number: 1, period: 'MONTHLY', prices: { USD: '20' } })
const THREE_DECIMALS = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']

/** An invoice of 30 and a bit, of which 30 are paid. */
const short = (currency: string, bit: string) =>
  ({
    account: currency,
    created: '2025-01-10',
    cells: { currency },
    items: [['RECURRING', `30.${bit}`]],
    payments: [['2025-01-11', '30']],
  }) as const

/** A plan without a price at first and, for who has it already, with none in their currency from March on. */
function unpricedLater(): Scenario {
  const plan = (prices: Record<string, string>, existing?: string) =>
    planXml('zero', {
      final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices }),
      ...(existing === undefined ? {} : { existing }),
    })
  const catalogs = [
    catalogXml({ effectiveDate: '2024-01-01T00:00:00Z', plans: plan({ USD: '0' }) }),
    catalogXml({ effectiveDate: '2025-02-01T00:00:00Z', plans: plan({ EUR: '5' }, '2025-03-01T00:00:00Z') }),
  ]
  return { catalogs, subscriptions: { S: held('zero', '2025-01-10') } }
}

const LATE_MONTHS = 70
/** Month n of many years, and what was used in it. */
const month = (n: number): string => `${2016 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`
const paidOn = (n: number): string => new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10)
const used = (n: number): number => 100 * (n + 1)

/** One invoice a day: the newest month first, then all before it in their order, so that each payment is of a month past. */
function newestMonthFirst(): Scenario {
  const invoice = (n: number, service: string, amount: string): [string, NonNullable<Scenario['invoices']>[string]] => [
    `I${n}`,
    {
      created: paidOn(n),
      items: [['USAGE', amount, { subscription_id: 'S', start_date: service }]],
      payments: [[paidOn(n), amount]],
    },
  ]
  const late = Array.from({ length: LATE_MONTHS }, (_, n) => invoice(n + 1, month(n), (used(n) / 100).toFixed(2)))
  return {
    catalogs: [METER],
    subscriptions: METERED,
    invoices: Object.fromEntries([invoice(0, '2024-12-01', '9.00'), ...late]),
  }
}

/** Mean of the newest month and the two last ones, which is what each payment leaves (D29). */
function meansOfNewest(): string[] {
  const means = Array.from({ length: LATE_MONTHS }, (_, n) =>
    n === 0 ? Math.floor((900 + used(0)) / 2) : Math.floor((900 + used(n) + used(n - 1)) / 3),
  )
  const levels = [0, 900, ...means]
  return levels.map((cents, index) => {
    const [from, to] = [index === 0 ? '2015-01-01' : paidOn(index - 1), index === levels.length - 1 ? '' : paidOn(index)]
    return `${from}..${to} active meter-evergreen x1 0+${cents} ${index === 0 ? 'start' : 'usage'}`
  })
}

export const EDGE_TRAPS: Readonly<Record<string, EdgeTrap>> = {
  // Written off before that instant is never paid; at it is not before it.
  'written off at the instant of the payment (D53)': {
    scenario: trap({
      subscriptions: { S: held('gold', '2025-01-10') },
      invoices: Object.fromEntries(
        ['at', 'before'].map((id) => [
          id,
          { created: '2025-01-10', items: [['RECURRING', '30']], payments: [['2025-01-15 10:00:00', '30']] },
        ]),
      ),
      tags: [
        { ...WRITTEN_OFF, object_id: 'at', created_date: '2025-01-15 10:00:00' },
        { ...WRITTEN_OFF, object_id: 'before', created_date: '2025-01-15 09:59:59' },
      ],
    }),
    paid: ['at 2025-01-15 10:00:00 3000'],
  },
  // 1407 over 14 months: 13 × 100, and 107 in the last; the newest three make (100 + 100 + 107) / 3.
  'usage over fourteen months (D55)': {
    scenario: {
      catalogs: [METER],
      subscriptions: METERED,
      invoices: {
        I: {
          created: '2025-03-20',
          items: [['USAGE', '14.07', { subscription_id: 'S', start_date: '2024-01-15', end_date: '2025-03-15' }]],
          payments: [['2025-04-01', '14.07']],
        },
      },
    },
    charges: [
      '2024-01-15 100',
      ...Array.from({ length: 11 }, (_, n) => `2024-${String(n + 2).padStart(2, '0')}-01 100`),
      '2025-01-01 100',
      '2025-02-01 107',
    ],
    spans: {
      S: ['2015-01-01..2025-04-01 active meter-evergreen x1 0+0 start', '2025-04-01.. active meter-evergreen x1 0+102 usage'],
    },
  },
  // The newest month is paid first and stays among the newest three through all later payments.
  'usage paid out of order over seventy payments (D29)': { scenario: newestMonthFirst(), spans: { S: meansOfNewest() } },
  // 0.004 is open where there are thousandths, and nothing where there are not; 0.0004 rounds to nothing everywhere.
  'currencies with three decimals (D7, D53)': {
    scenario: trap({
      accounts: Object.fromEntries([...THREE_DECIMALS, 'USD'].map((currency) => [currency, { currency }])),
      subscriptions: {},
      invoices: Object.fromEntries(
        [...THREE_DECIMALS, 'USD'].flatMap((currency) => [
          [`${currency} open`, short(currency, '0049')],
          [`${currency} settled`, short(currency, '0004')],
        ]),
      ),
    }),
    paid: [
      ...THREE_DECIMALS.map((currency) => `${currency} settled 2025-01-11 00:00:00 3000`),
      'USD open 2025-01-11 00:00:00 3000',
      'USD settled 2025-01-11 00:00:00 3000',
    ],
    balances: Object.fromEntries(
      [...THREE_DECIMALS, 'USD'].flatMap((currency) => [
        [`${currency} open`, currency === 'USD' ? 0 : 1],
        [`${currency} settled`, 0],
      ]),
    ),
  },
  // The reasons of an end in their order: cancel, expiry, base_end, whichever row was written first.
  'several causes of an end at one instant (D28)': {
    scenario: trap({
      subscriptions: {
        S1: { events: [...held('gold', '2025-01-10', '2025-03-10').events, ['2025-03-10', 'EXPIRED']] },
        S2: {
          events: [
            ['2025-01-10', 'CREATE', 'gold-evergreen'],
            ['2025-03-10', 'EXPIRED'],
            ['2025-03-10', 'CANCEL'],
          ],
        },
        S3: {
          bundle: 'bundle-S1',
          category: 'ADD_ON',
          events: [
            ['2025-01-10', 'CREATE', 'silver-evergreen'],
            ['2025-03-10', 'EXPIRED'],
          ],
        },
        S4: { bundle: 'bundle-S1', category: 'ADD_ON', ...held('silver', '2025-01-10', '2025-03-10') },
        S5: { bundle: 'bundle-S1', category: 'ADD_ON', ...held('silver', '2025-01-10') },
      },
    }),
    spans: {
      S1: ['2025-01-10..2025-03-10 active gold-evergreen x1 3000+0 start /cancel'],
      S2: ['2025-01-10..2025-03-10 active gold-evergreen x1 3000+0 start /cancel'],
      S3: ['2025-01-10..2025-03-10 active silver-evergreen x1 1000+0 start /expiry'],
      S4: ['2025-01-10..2025-03-10 active silver-evergreen x1 1000+0 start /cancel'],
      S5: ['2025-01-10..2025-03-10 active silver-evergreen x1 1000+0 start /base_end'],
    },
  },
  // Rows up to the end are looked at, later ones are not: what closes at the end was short, what closes after it is open.
  'blocks exactly at the end (D20)': {
    scenario: trap({
      subscriptions: Object.fromEntries(
        ['S1', 'S2', 'S3'].map((name) => [name, held('gold', '2025-01-10', '2025-03-10 12:00:00')]),
      ),
      blocks: [
        ['S1', 'shop', '2025-03-10 02:00:00', true],
        ['S1', 'shop', '2025-03-10 12:00:00', false],
        ['S2', 'shop', '2025-03-10 02:00:00', true],
        ['S2', 'shop', '2025-03-10 12:00:01', false],
        ['S3', 'shop', '2025-03-10 12:00:00', true],
      ],
    }),
    spans: {
      S1: ['2025-01-10..2025-03-10 12:00:00 active gold-evergreen x1 3000+0 start /cancel'],
      S2: [
        '2025-01-10..2025-03-10 02:00:00 active gold-evergreen x1 3000+0 start',
        '2025-03-10 02:00:00..2025-03-10 12:00:00 paused gold-evergreen x1 0+0 pause /cancel',
      ],
      S3: ['2025-01-10..2025-03-10 12:00:00 active gold-evergreen x1 3000+0 start /cancel'],
    },
  },
  // Its term would end before the subscription begins. The phase that the plan enters ends after a month.
  'a phase with a fixed term before the first plan (D18)': {
    scenario: {
      catalogs: [catalogXml({ plans: planXml('once', { final: FIXED_TERM }) })],
      subscriptions: {
        S: {
          events: [
            ['2024-10-01', 'PHASE', 'once-fixedterm'],
            ['2025-01-01', 'CREATE', 'once-fixedterm'],
          ],
        },
      },
    },
    spans: { S: ['2025-01-01..2025-02-01 active once-fixedterm x1 2000+0 start /expiry'] },
  },
  // 0 before and unknown after, which also shows as 0: only the flag turns.
  'a price that is no longer known (D26, D28)': {
    scenario: unpricedLater(),
    spans: {
      S: ['2025-01-10..2025-03-01 active zero-evergreen x1 0+0 start', '2025-03-01.. active zero-evergreen x1 unpriced price'],
    },
  },
}
