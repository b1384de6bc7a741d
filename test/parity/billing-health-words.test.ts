import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import type { Scenario } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { type TrapPairs, trapPairs } from '../support/product/trap-engines.ts'

type Cells = Readonly<Record<string, unknown>>
type Item = readonly [type: string, amount: string, more: Cells & Readonly<Record<string, string | null>>]

const V1 = '2024-01-01 00:00:00'
const V2 = '2025-11-01 00:00:00'

function item(subscription_id: string, start_date: string, end_date: string, rate = '30', version = V1): Item {
  const cells = { subscription_id, phase_name: 'gold-evergreen', catalog_effective_date: version, start_date, end_date, rate }
  return ['RECURRING', rate, cells]
}

const invoice = (created: string, ...items: readonly Item[]) => ({ created, items })

const plan = (price: string, more = {}) =>
  planXml('gold', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price, EUR: price } }), ...more })
/** `gold` for 30, and for 36 from 1 November 2025 on, also for existing subscriptions. */
const DEARER = [
  catalogXml({ plans: plan('30') }),
  catalogXml({ effectiveDate: '2025-11-01T00:00:00Z', plans: plan('36', { existing: '2025-11-01T00:00:00Z' }) }),
]

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  /** Billed up to 31 August 2025, and never after. */
  silent: trap({
    subscriptions: { S: held('gold', '2025-08-01') },
    invoices: { A: invoice('2025-08-01', item('S', '2025-08-01', '2025-09-01')) },
  }),
  /** Nothing is billed in October. From 1 November on, the agreed quantity is 2. */
  grown: trap({
    subscriptions: {
      S: {
        events: [
          ['2025-10-01', 'CREATE', 'gold-evergreen'],
          ['2025-11-01', 'QUANTITY_UPDATE', 2],
        ],
      },
    },
  }),
  /** Nothing is billed in October and December. */
  'with a gap': trap({
    subscriptions: { S: held('gold', '2025-10-01') },
    invoices: { A: invoice('2025-11-01', item('S', '2025-11-01', '2025-12-01')) },
  }),
  /** The agreed quantity 3 is 1 again since the price date, and many events came before. */
  'gone back': {
    catalogs: DEARER,
    subscriptions: {
      S: {
        events: [
          ['2025-08-01', 'CREATE', 'gold-evergreen'],
          ['2025-08-02', 'QUANTITY_UPDATE', 2],
          ['2025-08-03', 'QUANTITY_UPDATE', 3],
          ...(['04', '05', '06', '07', '08', '09'] as const).map((day) => [`2025-08-${day}`, 'BCD_UPDATE'] as const),
        ],
      },
    },
    invoices: {
      A: invoice('2025-08-03', item('S', '2025-08-03', '2025-11-01', '90')),
      B: invoice('2025-11-01', item('S', '2025-11-01', '2026-01-01', '36', V2)),
    },
  },
  /** A was billed for December, and its service has stopped on the 11th. B is not billed in December. */
  overdue: trap({
    accounts: { A: {}, B: {} },
    subscriptions: { S: held('gold', '2025-12-01'), T: { account: 'B', ...held('gold', '2025-12-01') } },
    invoices: { A: invoice('2025-12-01', item('S', '2025-12-01', '2026-01-01')) },
    blocks: [['account A', 'overdue-service', '2025-12-11 08:00:00', true, 'OD2']],
    tags: [
      {
        object_type: 'ACCOUNT',
        object_id: 'A',
        tag_definition_id: '00000000-0000-0000-0000-000000000002',
        created_date: '2025-12-11 09:00:00',
      },
    ],
  }),
  /** Three customers, one of them abroad, each with a sum of days that no cent divides. */
  three: {
    ...trap({
      accounts: { A: {}, B: {}, C: { currency: 'EUR' } },
      subscriptions: {
        S: held('gold', '2025-12-01'),
        T: { account: 'B', ...held('gold', '2025-12-08') },
        U: { account: 'C', ...held('gold', '2025-12-09') },
      },
      invoices: {
        A: invoice('2025-12-01', item('S', '2025-12-01', '2026-01-01')),
        B: { account: 'B', ...invoice('2025-12-08', item('T', '2025-12-08', '2026-01-01')) },
        C: { account: 'C', cells: { currency: 'EUR' }, ...invoice('2025-12-09', item('U', '2025-12-09', '2026-01-01', '20')) },
      },
      rates: [{ date: '2025-12-31', from: 'EUR', to: 'USD', rate: '1.1' }],
    }),
  },
}

firstEngineAndOneOther('what billing health says', (target) => {
  let pairs: TrapPairs
  beforeAll(async () => {
    pairs = await trapPairs(target, SCENARIOS)
  }, 300_000)
  afterAll(() => pairs.close())

  const finding = (name: string, params: Readonly<Record<string, string>> = {}) =>
    pairs.both(name, async (engine) => {
      const { rows } = (await engine.billingFindings(params)).data as {
        readonly rows: readonly Cells[]
      }
      expect(rows).toHaveLength(1)
      return rows[0] ?? {}
    })

  it('a finding that is older than the range names the day on which it began', async () => {
    const { first_day, began_on, sentence, days } = await finding('silent')
    expect([first_day, began_on, days]).toEqual(['2025-10-03', '2025-09-01', 90])
    expect(sentence).toBe('Agreed: 30.00 USD a month. Billed: nothing, since 2025-09-01. No item bills these days.')
  })

  it('a finding of past days names its days, also those before the range', async () => {
    const { began_on, sentence } = await finding('silent', { start: '2025-10-01', end: '2025-10-31' })
    expect(began_on).toBe('2025-09-01')
    expect(sentence).toContain('Billed: nothing, from 2025-09-01 to 2025-10-31.')
  })

  it('amounts of a sentence are those of the last days, and it says so', async () => {
    const { began_on, sentence, agreed_cents } = await finding('grown', { start: '2025-10-01' })
    expect(began_on).toBe('2025-11-01')
    // 31 days of 3000 and 61 days of 6000.
    expect(agreed_cents).toBe(Math.round(((31 * 3000 + 61 * 6000) * 12) / 365))
    expect(sentence).toBe(
      'Agreed: 2 units for 60.00 USD a month. Billed: nothing, since 2025-11-01. 31 earlier days have other amounts, the first on 2025-10-01. No item bills these days.',
    )
  })

  it('a sentence tells of the days before a gap', async () => {
    const { sentence } = await finding('with a gap', { start: '2025-10-31' })
    expect(sentence).toBe(
      'Agreed: 30.00 USD a month. Billed: nothing, since 2025-12-01. An earlier day has the same amounts, the first on 2025-10-31. No item bills these days.',
    )
  })

  it('a lost quantity names the price date, the row that set the quantity, and the price of the items', async () => {
    const { class: kind, sentence, evidence } = await finding('gone back')
    expect(kind).toBe('quantity_reverted')
    expect(sentence).toBe(
      'Agreed: 3 units for 108.00 USD a month. Billed: 36.00 USD a month, since 2025-11-01. At the price date 2025-11-01, the engine went back to the quantity of the last plan or phase event.',
    )
    const rows = evidence as readonly Cells[]
    const notes = rows.map(({ table, note }) => `${table}: ${note}`)
    expect(notes).toContain('subscription_events: QUANTITY_UPDATE quantity 3')
    expect(notes).toContain(
      'invoice_items: RECURRING gold-evergreen 36.00 USD from 2025-11-01 to before 2026-01-01 at the price of the catalog of 2025-11-01',
    )
    expect(rows.every(({ record_id }) => Number.isInteger(record_id))).toBe(true)
  })

  it('check names the customer that is not invoiced, and since when', async () => {
    const found = (name: string) =>
      pairs.both(name, async (engine) => (await engine.check()).filter((finding) => finding.name === 'not_invoiced'))
    const since = (customer: string, day: string) => {
      const message = `A customer in MRR is not invoiced. Not billed as agreed: ${customer} since ${day}; \`plumbline billing-health --state open\` has amounts, causes and remedies`
      const logged = 'A customer in MRR is not invoiced; `plumbline billing-health --state open` has amounts, causes and remedies'
      return [{ name: 'not_invoiced', level: 'warning', message, logged }]
    }
    expect(await found('silent')).toEqual(since('1:A', '2025-09-01'))
    // Another quantity is agreed a month later. The days before a gap count no more.
    expect(await found('grown')).toEqual(since('2:A', '2025-10-01'))
    expect(await found('with a gap')).toEqual(since('3:A', '2025-12-01'))
    expect(await found('three')).toEqual([])
  })

  it('an overdue customer is no difference and nothing at stake, has its own sum, and comes last', async () => {
    const health = await pairs.both('overdue', async (engine) => (await engine.billingHealth({})).data as Cells)
    // 10 days of A are billed as agreed, and 21 are billed though its service has stopped. 31 days of B are not billed: 3058 cents.
    expect(health).toMatchObject({
      agreed_base_cents: 986 + 3058,
      billed_base_cents: 986,
      difference_base_cents: 3058,
      monthly_base_cents: 3000,
      at_stake_base_cents: 3000,
      monthly_unbilled_base_cents: 3000,
      overdue_block_base_cents: 2071,
      overdue_block_days: 21,
      healthy_days: 10,
      subscription_days: 62,
    })
    const classes = health['classes'] as readonly Cells[]
    expect(classes.map((row) => [row['class'], row['difference_base_cents'], row['monthly_base_cents']])).toEqual([
      ['not_billed', 3058, 3000],
      ['overdue_block', -2071, -3000],
    ])
    const { rows } = (await pairs.both('overdue', async (engine) => (await engine.billingFindings({})).data)) as {
      readonly rows: readonly Cells[]
    }
    expect(rows.map((row) => [row['class'], row['confidence']])).toEqual([
      ['not_billed', 'likely'],
      ['overdue_block', 'certain'],
    ])
    const [, overdue = {}] = rows
    expect(overdue['remedy']).toMatch(/^Collect the open invoices/)
    const evidence = overdue['evidence'] as readonly Cells[]
    expect(evidence.map(({ table, note }) => `${table}: ${note}`)).toContain('blocking_states: overdue-service OD2')
    const found = await pairs.both('overdue', async (engine) =>
      (await engine.check()).filter(({ name }) => name === 'not_invoiced'),
    )
    expect(found.map(({ message }) => message).join()).not.toContain(':A since')
  })

  it('the sums of each customer add up to those of all', async () => {
    const sums = (params: Readonly<Record<string, string>>) =>
      pairs.both('three', async (engine) => {
        const { agreed_base_cents, billed_base_cents } = (await engine.billingHealth(params)).data as Readonly<
          Record<string, number>
        >
        return [agreed_base_cents, billed_base_cents]
      })
    const accounts = (await pairs.both('three', async (engine) => (await engine.list('customers')).data)) as {
      readonly rows: readonly { readonly id: string }[]
    }
    const each = await Promise.all(accounts.rows.map(({ id }) => sums({ customer_id: id })))
    // 31 × 3000, 24 × 3000 and 23 × 2200 cents of days, each times 12/365 and rounded: 3057.5, 2367.1 and 1663.6. Together 7088.2.
    expect(each.map(([agreed]) => agreed).sort()).toEqual([1664, 2367, 3058])
    expect(await sums({})).toEqual([7089, 7089])
  })
})
