import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { held } from '../support/data/catalogs/trap-catalog.ts'
import { monthlyPlan, type Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

type Cells = Readonly<Record<string, unknown>>
interface Page {
  readonly total: number
  readonly months: readonly Cells[]
  readonly rows: readonly Cells[]
}

const INVOICING_OFF = '00000000-0000-0000-0000-000000000002'
const TEST_ACCOUNT = '00000000-0000-0000-0000-000000000006'

/** A phase with a price at its start. */
const withFixed = (phase: string, price: string) =>
  phase.replace(
    '</duration>',
    `</duration><fixed><fixedPrice><price><currency>USD</currency><value>${price}</value></price></fixedPrice></fixed>`,
  )

const RULES = `<rules><billingAlignment>
  <billingAlignmentCase><billingPeriod>ANNUAL</billingPeriod><alignment>SUBSCRIPTION</alignment></billingAlignmentCase>
  <billingAlignmentCase><productCategory>ADD_ON</productCategory><alignment>BUNDLE</alignment></billingAlignmentCase>
</billingAlignment></rules>`

const catalog = (effectiveDate: string, plans: string, mode?: 'IN_ARREAR') =>
  catalogXml({ effectiveDate, plans, ...(mode && { mode }) }).replace('<plans>', `${RULES}<plans>`)

const plans = (gold: string, existing?: string) =>
  planXml('gold', {
    ...(existing !== undefined && { existing }),
    final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: gold, JPY: '1000' } }),
  }) +
  planXml('year', { final: phaseXml('EVERGREEN', { period: 'ANNUAL', prices: { USD: '120' } }) }) +
  monthlyPlan('try', '20', { initial: phaseXml('TRIAL', { unit: 'DAYS', number: 14 }) }) +
  planXml('setup', {
    initial: withFixed(phaseXml('DISCOUNT', { unit: 'MONTHS', number: 1, period: 'MONTHLY', prices: { USD: '5' } }), '99.00'),
    final: withFixed(phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '10' } }), '7.50'),
  }) +
  planXml('late', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '31' } }) }).replace(
    '<product>',
    '<recurringBillingMode>IN_ARREAR</recurringBillingMode><product>',
  ) +
  planXml('meter', { final: phaseXml('EVERGREEN', { usage: true }) }) +
  planXml('week', { final: phaseXml('EVERGREEN', { period: 'WEEKLY', prices: { USD: '7' } }) })

/** A charge for days of a subscription. */
const item = (subscription_id: string, account: string, from: string, to: string, amount: string, rate = amount) => ({
  account,
  created: from,
  cells: { invoice_date: from },
  items: [['RECURRING', amount, { subscription_id, start_date: from, end_date: to, rate }]] as const,
})

/** Usage of a month that was paid when it ended. */
const usage = (from: string, to: string, amount: string) => ({
  account: 'L',
  created: to,
  cells: { invoice_date: to },
  items: [['USAGE', amount, { subscription_id: 'l', start_date: from, end_date: to, phase_name: 'meter-evergreen' }]] as const,
  payments: [[to, amount]] as const,
})

const BEFORE = { created_date: '2025-12-01 00:00:00' }
const day = (billing_cycle_day_local: number, more: Cells = {}) =>
  ({ billing_cycle_day_local, ...more }) as Record<string, string | number>

/** Now is 1 January 2026. */
const SCENARIO: Scenario = {
  sets: { flat: { mrr_usage: 'off' } },
  catalogs: [catalog('2024-01-01T00:00:00Z', plans('30')), catalog('2025-12-01T00:00:00Z', plans('36', '2026-02-10T00:00:00Z'))],
  accounts: {
    A: day(31),
    B: day(5, { currency: 'JPY' }),
    C: day(0),
    D: day(1),
    E: day(1),
    F: day(1),
    G: day(10),
    H: day(20),
    I: day(1),
    J: day(1),
    K: day(1),
    L: day(15),
  },
  rates: [{ date: '2025-01-01', from: 'JPY', to: 'USD', rate: '0.01' }],
  subscriptions: {
    // The end of each month, and a price date from 10 February on.
    a: { account: 'A', ...held('gold', '2025-10-31') },
    b: { account: 'B', ...held('gold', '2025-12-05') },
    // In a trial up to 8 January. The account has no billing day, so that is the one of its first price.
    c: {
      account: 'C',
      events: [
        ['2025-12-25', 'CREATE', 'try-trial'],
        ['2026-01-08', 'PHASE', 'try-evergreen', BEFORE],
      ],
    },
    // Its year begins on its own day, and it has a quantity.
    d: { account: 'D', events: [...held('year', '2025-01-20').events, ['2025-01-20', 'QUANTITY_UPDATE', 3]] },
    // A setup price when the subscription begins, and one when the next phase does.
    e: {
      account: 'E',
      events: [
        ['2026-01-15', 'CREATE', 'setup-discount', BEFORE],
        ['2026-02-15', 'PHASE', 'setup-evergreen', BEFORE],
      ],
    },
    f: { account: 'F', ...held('late', '2025-12-01') },
    g: { account: 'G', events: [...held('gold', '2025-12-10').events, ['2026-01-25', 'CANCEL', undefined, BEFORE]] },
    // Invoicing is switched off, and a test account.
    h: { account: 'H', ...held('gold', '2025-12-20') },
    i: { account: 'I', ...held('gold', '2025-12-01') },
    // A pause from 8 to 20 January, and another billing day afterwards.
    j: {
      account: 'J',
      events: [
        ...held('week', '2025-12-18').events,
        ['2026-01-22', 'BCD_UPDATE', undefined, { ...BEFORE, billing_cycle_day_local: 22 }],
      ],
    },
    k: { account: 'K', ...held('gold', '2025-11-01') },
    l: { account: 'L', ...held('meter', '2025-09-15') },
  },
  blocks: [
    ['j', 'entitlement-service', '2026-01-08', true, 'ENT_BLOCKED', '2025-12-30'],
    ['j', 'entitlement-service', '2026-01-20', false, 'ENT_CLEAR', '2025-12-30'],
    // Billing is blocked for an unpaid invoice, and nobody knows until when.
    ['account K', 'overdue-service', '2025-12-20', true, 'OD2'],
  ],
  invoices: {
    a: item('a', 'A', '2025-11-30', '2025-12-31', '30'),
    b: item('b', 'B', '2025-12-05', '2026-01-05', '1000'),
    d: item('d', 'D', '2025-01-20', '2026-01-20', '360'),
    g: item('g', 'G', '2025-12-10', '2026-01-10', '36'),
    h: item('h', 'H', '2025-12-20', '2026-01-20', '30'),
    i: item('i', 'I', '2025-12-01', '2026-01-01', '30'),
    l1: usage('2025-10-15', '2025-11-15', '10'),
    l2: usage('2025-11-15', '2025-12-15', '20'),
    j: item('j', 'J', '2025-12-25', '2026-01-01', '7'),
  },
  tags: [
    { object_type: 'ACCOUNT', object_id: 'H', tag_definition_id: INVOICING_OFF, account_record_id: 8 },
    { object_type: 'ACCOUNT', object_id: 'I', tag_definition_id: TEST_ACCOUNT, account_record_id: 9 },
  ],
}

/** Subscription, kind, day of the charge, its days, cents and base cents, up to the end of March. */
const EXPECTED = [
  // Due yesterday, and made today.
  'a recurring 2026-01-01 2025-12-31 2026-01-31 3000 3000',
  'a recurring 2026-01-31 2026-01-31 2026-02-10 1071 1071',
  'a recurring 2026-02-10 2026-02-10 2026-02-28 2314 2314',
  'a recurring 2026-02-28 2026-02-28 2026-03-31 3600 3600',
  'a recurring 2026-03-31 2026-03-31 2026-04-30 3600 3600',
  'b recurring 2026-01-05 2026-01-05 2026-02-05 100000 1000',
  'b recurring 2026-02-05 2026-02-05 2026-03-05 100000 1000',
  'b recurring 2026-03-05 2026-03-05 2026-04-05 100000 1000',
  'c recurring 2026-01-08 2026-01-08 2026-02-08 2000 2000',
  'c recurring 2026-02-08 2026-02-08 2026-03-08 2000 2000',
  'c recurring 2026-03-08 2026-03-08 2026-04-08 2000 2000',
  'd recurring 2026-01-20 2026-01-20 2027-01-20 36000 36000',
  'e fixed 2026-01-15 2026-01-15 - 9900 9900',
  'e recurring 2026-01-15 2026-01-15 2026-02-01 274 274',
  'e recurring 2026-02-01 2026-02-01 2026-02-15 250 250',
  'e fixed 2026-02-15 2026-02-15 - 750 750',
  'e recurring 2026-02-15 2026-02-15 2026-03-01 500 500',
  'e recurring 2026-03-01 2026-03-01 2026-04-01 1000 1000',
  'f recurring 2026-01-01 2025-12-01 2026-01-01 3100 3100',
  'f recurring 2026-02-01 2026-01-01 2026-02-01 3100 3100',
  'f recurring 2026-03-01 2026-02-01 2026-03-01 3100 3100',
  'g recurring 2026-01-10 2026-01-10 2026-01-25 1742 1742',
  // The mean of 10.00 and 20.00.
  'l usage 2026-01-15 2025-12-15 2026-01-15 1500 1500',
  'l usage 2026-02-15 2026-01-15 2026-02-15 1500 1500',
  'l usage 2026-03-15 2026-02-15 2026-03-15 1500 1500',
  'j recurring 2026-01-01 2026-01-01 2026-01-08 700 700',
  'j recurring 2026-01-20 2026-01-20 2026-01-22 200 200',
  ...['22', '29'].map((on) => `j recurring 2026-01-${on} 2026-01-${on} ${on === '22' ? '2026-01-29' : '2026-02-05'} 700 700`),
  ...['02-05', '02-12', '02-19', '02-26', '03-05', '03-12', '03-19', '03-26'].map((on) => {
    const until = new Date(Date.parse(`2026-${on}`) + 7 * 86_400_000).toISOString().slice(0, 10)
    return `j recurring 2026-${on} 2026-${on} ${until} 700 700`
  }),
]

const plain = (id: unknown) => String(id).replace(/^1:/, '')
const lineOf = (row: Cells) =>
  [
    plain(row['subscription_id']),
    row['kind'],
    row['billed_on'],
    row['starts_on'],
    row['ends_on'] ?? '-',
    row['amount_cents'],
    row['amount_base_cents'],
  ].join(' ')

firstEngineAndOneOther('charges to come by hand (D91), straight and with a cache', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, { all: SCENARIO })
  }, 300_000)
  afterAll(() => pairs.close())
  const ask = (params: Cells = {}, spec: Cells = {}) =>
    pairs.both('all', async (engine) => {
      const { data, meta } = await engine.billings({ next: '2m', limit: '1000', ...params } as Record<string, string>, spec)
      return { ...(data as Page), warnings: meta.warnings }
    })

  it('are what the engine charges, in the order of their days', async () => {
    const { total, rows } = await ask()
    expect(rows.map(lineOf).sort()).toEqual([...EXPECTED].sort())
    expect(total).toBe(EXPECTED.length)
    const days = rows.map(({ billed_on }) => String(billed_on))
    expect(days).toEqual([...days].sort())
  })

  it('have sums by month, currency and kind', async () => {
    const { months } = await ask({ limit: '1' })
    const wanted = new Map<string, readonly [number, number, number]>()
    for (const line of EXPECTED) {
      const [subscription, kind, on = '', , , cents, base] = line.split(' ')
      const key = `${on.slice(0, 7)}-01 ${subscription === 'b' ? 'JPY' : 'USD'} ${kind}`
      const [count, sum, sumBase] = wanted.get(key) ?? [0, 0, 0]
      wanted.set(key, [count + 1, sum + Number(cents), sumBase + Number(base)])
    }
    const found = months.map((row) => [
      `${row['month']} ${row['currency']} ${row['kind']}`,
      [row['charges'], row['amount_cents'], row['amount_base_cents']],
    ])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
    expect(months.every(({ kind, is_estimate }) => is_estimate === (kind === 'usage'))).toBe(true)
  })

  it('pages continue each other', async () => {
    const { rows } = await ask()
    const parts = [0, 7, 14, 21, 28, 35].map((offset) => ask({ limit: '7', offset: String(offset) }))
    expect((await Promise.all(parts)).flatMap((page) => page.rows)).toEqual(rows)
  })

  it('take filters, segments and units', async () => {
    const only = async (params: Cells, spec: Cells = {}) => [
      ...new Set((await ask(params, spec)).rows.map((row) => plain(row['subscription_id']))),
    ]
    expect(await only({ kind: 'fixed' })).toEqual(['e'])
    expect(await only({ currency: 'JPY' })).toEqual(['b'])
    expect(await only({ plan_id: 'gold' })).toEqual(['a', 'b', 'g'])
    expect(await only({ customer_id: '1:D' })).toEqual(['d'])
    expect(await only({}, { filters: { 'subscription.status': 'trialing' } })).toEqual(['c'])
    const segment = JSON.stringify({
      root: { op: 'and', conditions: [{ field: 'customer.id', op: 'in', value: ['1:A', '1:F'] }] },
    })
    expect(await only({}, { segment })).toEqual(['a', 'f'])
    const { rows, months } = await ask({ money: 'units', currency: 'JPY' })
    expect([rows[0]?.['amount_cents'], rows[0]?.['amount_base_cents'], months[0]?.['amount_cents']]).toEqual([
      '1000',
      '10.00',
      '1000',
    ])
  })

  it('follow the options of a definition set', async () => {
    const { rows } = await ask({ definitions: 'flat' })
    expect(rows.map(lineOf).sort()).toEqual(EXPECTED.filter((line) => !line.includes(' usage ')).sort())
  })

  it('leave out accounts without invoices, and say so', async () => {
    const { warnings } = await ask({ limit: '1' })
    expect(warnings.map(({ code, count }) => [code, count])).toEqual([
      ['forecast', undefined],
      ['partial', 1],
    ])
  })

  describe('refuse', () => {
    it.each([
      ['next', { next: '25m' }, 'invalid_value', /a number of months from 1m to 24m/],
      ['next', { next: '6' }, 'invalid_value', /a number of months from 1m to 24m/],
      ['next', { next: '6m', end: '2026-03-31' }, 'invalid_range', /leave out "start", "end" and "range"/],
      ['start', { next: undefined, start: '2025-12-31' }, 'invalid_range', /must be 2026-01-01 or later/],
      ['start', { next: undefined, start: '2028-02-01' }, 'invalid_range', /known up to 2028-01-31/],
      ['end', { next: undefined, end: '2028-02-01' }, 'invalid_range', /known up to 2028-01-31/],
      ['end', { next: undefined, end: '2025-12-31' }, 'invalid_range', /before it starts/],
      ['kind', { kind: 'refund' }, 'invalid_value', /recurring, fixed, usage or repair/],
    ])('%s: %o', async (where, params, code, message) => {
      await expect(ask(params)).rejects.toMatchObject({
        issues: [expect.objectContaining({ code, where: `params.${where}`, message: expect.stringMatching(message) })],
      })
    })
  })
})
