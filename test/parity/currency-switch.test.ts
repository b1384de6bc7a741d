import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Definitions } from '../../src/core/definitions.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { northTables } from '../support/data/lago/north-rows.ts'
import { workedId as id, WORKED_RATES } from '../support/data/lago/worked-rows.ts'
import { onPostgres, type TestDatabase } from '../support/databases/targets.ts'
import type { Value } from '../support/databases/test-database.ts'
import type { CountedCache } from '../support/product/counted-cache.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'
import { figuresOf, type TrapFigures } from '../support/product/range-figures.ts'

type Row = Readonly<Record<string, Value>>
type Subscription = readonly [external_id: string, currency: string, cents: number, from: string, to: string | null]

const NOW = new Date('2025-05-01T00:00:00Z')
const MARCH = { start: '2025-03-01', end: '2025-03-31' }
const NOON = '03-10 12:00'

/** One customer each. From March on, a euro is 1.20 dollars, before 1.10. */
const STORIES: Readonly<Record<string, readonly Subscription[]>> = {
  equal: [
    ['one', 'USD', 3000, '01-10 12:00', NOON],
    ['one', 'EUR', 2500, NOON, null],
  ],
  more: [
    ['one', 'USD', 3000, '01-10 12:00', NOON],
    ['one', 'EUR', 3000, NOON, null],
  ],
  less: [
    ['one', 'USD', 3000, '01-10 12:00', NOON],
    ['another', 'EUR', 2000, NOON, null],
  ],
  back: [
    ['one', 'EUR', 2500, '01-10 12:00', NOON],
    ['one', 'USD', 3000, NOON, null],
  ],
  split: [
    ['one', 'USD', 3000, '01-10 12:00', NOON],
    ['two', 'USD', 1000, '01-10 12:00', null],
    ['one', 'EUR', 1000, NOON, null],
    ['three', 'EUR', 500, NOON, null],
  ],
  gap: [
    ['one', 'USD', 3000, '01-10 12:00', NOON],
    ['one', 'EUR', 2500, '03-10 12:40', null],
  ],
  both: [
    ['one', 'USD', 3000, '01-10 12:00', '03-20 12:00'],
    ['two', 'EUR', 1000, NOON, null],
  ],
}

type Options = Partial<Definitions>
type Known = readonly [story: string, title: string, figures: TrapFigures, options?: Options]

const STAYED = { opening: 3000, churned: '0/1', lost: '0/3000' } as const
const LOST = {
  opening: 3000,
  churned: '1/1',
  lost: '3000/3000',
  nrr: 0,
  grr: 0,
} as const

/** Worked out by hand: USD 30.00 are 30.00; EUR 25.00 are 27.50 before March and 30.00 then, EUR 30.00 are 36.00, EUR 20.00 are 24.00. */
const KNOWN: readonly Known[] = [
  ['equal', 'no movement', { ...STAYED, closing: 3000, movements: {}, nrr: 1, grr: 1, arpu: 3000 }],
  [
    'more',
    'expansion',
    {
      ...STAYED,
      closing: 3600,
      movements: { expansion: 600 },
      nrr: 1.2,
      grr: 1,
      arpu: 3600,
    },
  ],
  [
    'less',
    'contraction',
    {
      ...STAYED,
      closing: 2400,
      movements: { contraction: -600 },
      nrr: 0.8,
      grr: 0.8,
      arpu: 2400,
    },
  ],
  [
    'back',
    'the rate of the old side stays that of its day (D12)',
    {
      opening: 2750,
      closing: 3000,
      movements: { expansion: 250 },
      churned: '0/1',
      lost: '0/2750',
      nrr: 1.090909,
      grr: 1,
      arpu: 3000,
    },
  ],
  [
    'back',
    'both sides have the rate of the day, and its change is no movement (D65)',
    {
      opening: 2750,
      closing: 3000,
      movements: { fx_effect: 250 },
      churned: '0/1',
      lost: '0/2750',
      nrr: 1,
      grr: 1,
      arpu: 3000,
    },
    { fx: 'period_end' },
  ],
  [
    'back',
    'both sides have the rate of one day (D65)',
    {
      opening: 2750,
      closing: 3000,
      movements: { expansion: 250 },
      churned: '0/1',
      lost: '0/2750',
      nrr: 1.090909,
      grr: 1,
      arpu: 3000,
    },
    { fx: 'constant:2025-02-01' },
  ],
  [
    'split',
    'all ends and starts of the instant are one group',
    {
      opening: 4000,
      closing: 2800,
      movements: { contraction: -1200 },
      churned: '0/1',
      lost: '0/4000',
      nrr: 0.7,
      grr: 0.7,
      arpu: 2800,
    },
  ],
  [
    'gap',
    'a customer that left and came back',
    {
      ...LOST,
      closing: 3000,
      movements: { churn: -3000, reactivation: 3000 },
      arpu: 3000,
    },
  ],
  ['gap', 'a swap window', { ...STAYED, closing: 3000, movements: {}, nrr: 1, grr: 1, arpu: 3000 }, { swap_window: 60 }],
  [
    'both',
    'two currencies side by side are two subscriptions',
    {
      ...STAYED,
      lost: '3000/3000',
      closing: 1200,
      movements: { new: 1200, churn: -3000 },
      nrr: 0,
      grr: 0,
      arpu: 1200,
    },
  ],
  [
    'both',
    'and one customer by the grain of customers (D64)',
    {
      ...STAYED,
      closing: 1200,
      movements: { expansion: 1200, contraction: -3000 },
      nrr: 0.4,
      grr: 0,
      arpu: 1200,
    },
    { grain: 'customer' },
  ],
  [
    'equal',
    'by the grain of customers',
    { ...STAYED, closing: 3000, movements: {}, nrr: 1, grr: 1, arpu: 3000 },
    { grain: 'customer' },
  ],
]

const CASES = KNOWN.map(([story, title, figures, options]) => ({ story, title, figures, options }))

onPostgres('a Lago customer that goes on in another currency (D85)', (target) => {
  let database: TestDatabase
  const engines: Engine[] = []
  beforeAll(async () => {
    database = await target.createDatabase()
    await fill(database)
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
  })
  const engine = async (story: string, definitions: Options = {}, onCache?: (cache: CountedCache) => void) => {
    const made = await lagoEngine(database, {
      organization: [story],
      now: NOW,
      rates: WORKED_RATES,
      definitions,
      ...(onCache && { onCache }),
    })
    engines.push(made)
    return made
  }

  it.each(CASES)('$story: $title', async ({ story, figures, options }) => {
    const found = (asked: Engine) => figuresOf(asked, '2025-02-28', MARCH.start, MARCH.end)
    expect(await found(await engine(story, options))).toEqual(figures)
    let cache: CountedCache | undefined
    const cached = await engine(story, options, (made) => {
      cache = made
    })
    expect(await found(cached)).toEqual(figures)
    expect([cache?.failures(), (cache?.answered() ?? 0) > 5]).toEqual([[], true])
  })

  it('breaks no identity that verify checks', async () => {
    const { checks } = await (await engine('less')).verification.run(MARCH)
    expect(checks.filter(({ ok }) => ok === false)).toEqual([])
  })

  it('is divided where a request groups or filters by currency', async () => {
    const asked = await engine('equal')
    const breakdown = async (spec: object) => {
      const { data } = await asked.query('mrr', { query_type: 'breakdown', ...MARCH }, { ...spec })
      return (data as readonly Row[])
        .filter((row) => row['amount_base'] !== 0 || row['event_count'] !== 0)
        .map((row) => [row['currency'], row['movement_type'], row['amount_base'], row['event_count']])
    }
    expect(await breakdown({})).toEqual([[undefined, 'expansion', 0, 2]])
    expect(await breakdown({ dimensions: ['currency'] })).toEqual([
      ['EUR', 'new', 2500, 1],
      ['USD', 'churn', -3000, 1],
    ])
    expect(await breakdown({ filters: { currency: 'USD' } })).toEqual([[undefined, 'churn', -3000, 1]])
    expect(await breakdown({ dimensions: ['plan_id'] })).toEqual([
      [undefined, 'expansion', 3000, 1],
      [undefined, 'expansion', -3000, 1],
    ])
  })

  it('is one change in words, under the side that begins', async () => {
    const moversOf = async (story: string) => {
      const { data } = await (await engine(story)).query('mrr', {
        query_type: 'why',
        ...MARCH,
      })
      const { movers } = data as { readonly movers: readonly Row[] }
      return movers.map(({ movement_type, amount_base, text }) => [movement_type, amount_base, text])
    }
    expect(await moversOf('less')).toEqual([
      ['contraction', -600, 'Customer less switched to EUR-2000 on 2025-03-10: -6.00 USD.'],
    ])
    // EUR 25.00 were 27.50 at the rate of January, and are 30.00 on the day of the switch.
    const parts = '+2.50 USD (0.00 by the customer, +2.50 by the exchange rate)'
    expect(await moversOf('back')).toEqual([['expansion', 250, `Customer back switched to USD-3000 on 2025-03-10: ${parts}.`]])
  })

  it('needs the rates of both sides', async () => {
    const made = await lagoEngine(database, {
      organization: ['equal'],
      now: NOW,
      rates: 'date,from,to,rate\n',
    })
    engines.push(made)
    const asked = made.query('mrr', { query_type: 'breakdown', ...MARCH }, { filters: { plan_id: 'USD-3000' } })
    await expect(asked).rejects.toMatchObject({ code: 'missing_fx_rate' })
  })
})

/** The stories as rows of Lago, each an organization of its name. A plan is named after its currency and amount. */
async function fill(database: TestDatabase): Promise<void> {
  await database.adminQuery(northTables())
  const insert = async (table: string, row: Row) => {
    const cells: Row = {
      created_at: '2025-01-01',
      updated_at: '2025-01-01',
      ...row,
    }
    const names = Object.keys(cells)
    const places = names.map((_, index) => `$${index + 1}`).join(', ')
    await database.adminQuery(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${places})`,
      names.map((name) => cells[name] ?? null),
    )
  }
  for (const [story, subscriptions] of Object.entries(STORIES)) {
    const organization_id = id(story)
    await insert('organizations', { id: organization_id, name: story })
    const owned = (table: string, name: string, row: Row) =>
      insert(table, { id: id(`${story} ${name}`), organization_id, ...row })
    await owned('billing_entities', 'entity', { name: story, code: story })
    const billing_entity_id = id(`${story} entity`)
    await owned('customers', 'customer', {
      billing_entity_id,
      external_id: story,
      name: `Customer ${story}`,
      account_type: 'customer',
    })
    for (const [index, [external_id, amount_currency, amount_cents, from, to]] of subscriptions.entries()) {
      const code = `${amount_currency}-${amount_cents}`
      await owned('plans', `plan ${index}`, {
        code,
        name: code,
        interval: 1,
        amount_cents,
        amount_currency,
      })
      await owned('subscriptions', `subscription ${index}`, {
        customer_id: id(`${story} customer`),
        plan_id: id(`${story} plan ${index}`),
        external_id,
        status: to === null ? 1 : 2,
        subscription_at: instant(from),
        started_at: instant(from),
        terminated_at: to === null ? null : instant(to),
        created_at: instant(from),
      })
    }
  }
}

function instant(time: string): string {
  return `2025-${time}:00`
}
