import { afterAll, beforeAll, expect, it } from 'vitest'
import { MOVEMENT_TYPES } from '../../src/core/enums.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { NOW, realRates, realTables } from '../support/data/recorded/recorded-tables.ts'
import { recordedTenants } from '../support/data/recorded/recorded-tenants.ts'
import { oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { foldReal, ofTenant } from '../support/oracles/fold/fold-recorded.ts'
import { isIn, rangeOf } from '../support/oracles/fold/ledger-figures.ts'
import { groupBy } from '../support/oracles/killbill/fold/group.ts'
import type { Movement } from '../support/oracles/killbill/fold/movements.ts'
import { baseCents, rateTable } from '../support/oracles/killbill/fold/rates.ts'
import type { Span } from '../support/oracles/killbill/fold/span.ts'
import { slicer } from '../support/oracles/slice-loops.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { toldPlans } from '../support/product/plans-in-sentences.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

interface Mover {
  readonly customer_id: string
  readonly subscription_id: string
  readonly plan_id: string | null
  readonly movement_type: string
  readonly occurred_at: string
  readonly amount_base: number
  readonly rate_part: number
  readonly text: string
}
interface Why {
  readonly start_mrr: number
  readonly end_mrr: number
  readonly change: number
  readonly by_movement: Readonly<Record<string, number>>
  readonly by_plan: readonly { readonly plan_id: string | null; readonly amount_base: number }[]
  readonly movers: readonly Mover[]
  readonly sentences: readonly string[]
}

const TENANTS = ['alpha', 'beta'] as const
const RANGES = [
  { start: '2026-10-01', end: '2026-10-31' },
  { start: '2024-11-20', end: '2026-11-20' },
]

oneEngineInRotation('why MRR changed, on the recorded tenants', (target) => {
  const engines = new Map<string, Engine>()
  const caches: CountedCache[] = []
  beforeAll(async () => {
    const database = await sharedReal(target)
    for (const tenant of TENANTS) engines.set(tenant, await engineOver(database, { tenant: [tenant] }))
    // A cache answers alike whichever engine it was filled from.
    if (target.name === 'pglite' || !isFirst(target)) return
    const cached = await cachedEngineOver(database, { tenant: ['alpha'] })
    engines.set('cached', cached.engine)
    caches.push(cached.cache)
  })
  afterAll(async () => {
    for (const engine of engines.values()) await engine.close()
  })
  const ask = async (name: string, params: Record<string, unknown>, spec: Record<string, unknown> = {}) => {
    const engine = engines.get(name)
    if (engine === undefined) throw new Error(`no engine of ${name}`)
    return engine.query('mrr', params, spec)
  }
  const answers = new Map<string, Promise<Why>>()
  /** Answers by question, each asked once. */
  const why = (name: string, range: Record<string, unknown>, spec: Record<string, unknown> = {}): Promise<Why> => {
    const key = JSON.stringify([name, range, spec])
    const answer = answers.get(key) ?? ask(name, { query_type: 'why', ...range }, spec).then(({ data }) => data as Why)
    answers.set(key, answer)
    return answer
  }
  /** With all movements of a tenant in a range. */
  const whole = (tenant: string, range: Record<string, unknown>): Promise<Why> => why(tenant, { ...range, limit: 1000 })

  it.each(recordedTenants(target))(
    'the largest movements of %s are those of plain loops, swaps as one (D31 to D33)',
    async (tenant) => {
      for (const range of RANGES) {
        const { movers } = await whole(tenant, range)
        const wanted = loops(tenant, range).slice(0, 1000)
        expect(movers.length).toBeGreaterThan(3)
        expect(movers.map(({ amount_base }) => Math.abs(amount_base))).toEqual(
          wanted.map(({ amount_base }) => Math.abs(amount_base)),
        )
        const key = (mover: Omit<Mover, 'text'>) =>
          JSON.stringify([
            mover.occurred_at,
            mover.subscription_id,
            mover.movement_type,
            mover.customer_id,
            mover.plan_id,
            mover.amount_base,
            mover.rate_part,
          ])
        const known = new Set(loops(tenant, range).map(key))
        expect(movers.filter(({ text: _text, ...mover }) => !known.has(key(mover)))).toEqual([])
        expect(movers.filter(({ rate_part }) => rate_part !== 0).length).toBeGreaterThan(0)
        const amount = '[+-]?[\\d,]+\\.\\d\\d'
        const parts = `( \\(${amount} by the customer, ${amount} by the exchange rate\\))`
        const sentence = (isParted: boolean) => new RegExp(` on \\d{4}-\\d\\d-\\d\\d: ${amount} USD${isParted ? parts : ''}\\.$`)
        expect(movers.filter(({ text, rate_part }) => !sentence(rate_part !== 0).test(text))).toEqual([])
      }
    },
  )

  it('kinds and plans add up to the change, whole and in part, and are those of the breakdown (I2, I4)', async () => {
    const scopes = [
      {},
      { filters: { plan_id: 'pro-monthly' } },
      { filters: { customer_country: ['DE', 'US'], movement_source: 'subscription' } },
    ]
    let transfers = 0
    for (const spec of sampleOf(target, scopes, { first: 1, others: scopes.length })) {
      const { start_mrr, end_mrr, change, by_movement, by_plan, movers } = await why('alpha', RANGES[0] ?? {}, spec)
      expect(end_mrr - start_mrr).toBe(change)
      expect(sum(Object.values(by_movement))).toBe(change)
      expect(sum(by_plan.map(({ amount_base }) => amount_base))).toBe(change)
      expect(movers.length).toBeLessThanOrEqual(10)
      const { data } = await ask('alpha', { query_type: 'breakdown', ...RANGES[0] }, spec)
      const rows = data as { movement_type: string; amount_base: number }[]
      for (const { movement_type, amount_base } of rows) expect(by_movement[movement_type], movement_type).toBe(amount_base)
      const [waterfall] = (await ask('alpha', { query_type: 'waterfall', ...RANGES[0] }, spec)).data as Record<string, number>[]
      expect([start_mrr, end_mrr]).toEqual([waterfall?.['starting_mrr'], waterfall?.['ending_mrr']])
      if (by_movement['transfer'] !== 0) transfers++
    }
    // The first engine is asked for every scope; one alone need not have any.
    if (isFirst(target)) expect(transfers).toBeGreaterThan(0)
  })

  it.each(recordedTenants(target))(
    'sentences about %s name the plan that plain loops find, and how many movements are its own',
    async (tenant) => {
      for (const range of RANGES) {
        const { sentences, by_movement } = await whole(tenant, range)
        const wanted = leads(tenant, range)
        const told = toldPlans(sentences)
        expect(told.length).toBe(MOVEMENT_TYPES.filter((type) => by_movement[type] !== 0).length)
        for (const { part, ...plan } of told) {
          const { share, ...lead } = wanted.get(plan.movement_type) ?? { share: 0 }
          expect(plan).toEqual({ movement_type: plan.movement_type, ...lead })
          expect(part === 'the largest part').toBe(share <= 0.5)
        }
      }
    },
  )

  if (isFirst(target)) {
    it('the cache answers the same', async () => {
      for (const cache of caches) {
        expect(await whole('cached', RANGES[0] ?? {})).toEqual(await whole('alpha', RANGES[0] ?? {}))
        const spec = { filters: { plan_id: 'pro-monthly' } }
        expect(await why('cached', RANGES[0] ?? {}, spec)).toEqual(await why('alpha', RANGES[0] ?? {}, spec))
        expect(cache.answered()).toBe(2)
        expect(cache.failures()).toEqual([])
      }
    })
  }
})

const folded = foldReal()
const groupOf = slicer(realTables)

/** The movements of a range with both components, and with all sides of a swap, added up; the largest first. */
function loops(tenant: (typeof TENANTS)[number], range: { start: string; end: string }): Omit<Mover, 'text'>[] {
  const days = rangeOf(range.start, range.end, NOW)
  const added = new Map<string, Omit<Mover, 'text'> & { largest: number; rank: string }>()
  for (const customer of ofTenant(folded, tenant)) {
    for (const movement of customer.movements.filter(({ occurred_at }) => isIn(occurred_at, days))) {
      const { occurred_at, movement_type, subscription_id, is_swap, amount_base_cents } = movement
      const amount = amount_base_cents ?? Number.NaN
      const part = is_swap ? `line ${customer.lines.get(subscription_id)}` : subscription_id
      const key = JSON.stringify([customer.account['id'], occurred_at, movement_type, part])
      const known = added.get(key)
      const rank = `${subscription_id} ${movement.movement_source}`
      const isNamed = known === undefined || amount > known.largest || (amount === known.largest && rank < known.rank)
      const plan = groupOf('plan_id', { ...movement, customer, at: occurred_at })
      const named = isNamed
        ? { subscription_id, plan_id: plan === null ? null : String(plan), largest: amount, rank }
        : { subscription_id: known.subscription_id, plan_id: known.plan_id, largest: known.largest, rank: known.rank }
      added.set(key, {
        customer_id: String(customer.account['id']),
        movement_type,
        occurred_at: `${occurred_at.slice(0, 19).replace(' ', 'T')}.000Z`,
        amount_base: (known?.amount_base ?? 0) + amount,
        rate_part: (known?.rate_part ?? 0) + ratePart(movement, customer.spans),
        ...named,
      })
    }
  }
  return [...added.values()]
    .sort((a, b) => Math.abs(b.amount_base) - Math.abs(a.amount_base))
    .map(({ largest: _largest, rank: _rank, ...mover }) => mover)
}

const rates = rateTable(realRates, 'USD')

/** The amount before at the rate of the movement's day, less its base amount, if the subscription goes on or was replaced (D12). */
function ratePart(movement: Movement, spans: readonly Span[]): number {
  const { occurred_at, movement_type, movement_source, subscription_id, currency } = movement
  if (movement_type !== 'expansion' && movement_type !== 'contraction') return 0
  const before = spans.findLast((span) => span.subscription_id === subscription_id && span.valid_from < occurred_at)
  const cents = before?.[`${movement_source}_mrr_cents`] ?? 0
  const revalued = baseCents(cents, currency, occurred_at.slice(0, 10), rates) ?? Number.NaN
  return revalued - (before?.[`${movement_source}_mrr_base_cents`] ?? 0)
}

interface Lead {
  readonly plan_id: string
  readonly events: number
  readonly all_events: number
  /** Of the amounts that have the sign of the whole. */
  readonly share: number
}

/** Of each type the plan with the largest amount in the direction of the whole, with its movements, each row as D31 and D33 make it. */
function leads(tenant: (typeof TENANTS)[number], range: { start: string; end: string }): ReadonlyMap<string, Lead> {
  const days = rangeOf(range.start, range.end, NOW)
  const rows = ofTenant(folded, tenant).flatMap((customer) =>
    customer.movements
      .filter(({ occurred_at, amount_cents }) => isIn(occurred_at, days) && amount_cents !== 0)
      .map((movement) => ({
        type: movement.movement_type,
        amount: movement.amount_base_cents ?? Number.NaN,
        plan: String(groupOf('plan_id', { ...movement, customer, at: movement.occurred_at })),
      })),
  )
  const found = new Map<string, Lead>()
  for (const [type, own] of groupBy(rows, (row) => row.type)) {
    const sign = Math.sign(sum(own.map(({ amount }) => amount)))
    const plans = [...groupBy(own, ({ plan }) => plan)].map(([plan_id, moved]) => ({
      plan_id,
      events: moved.length,
      amount: sign * sum(moved.map(({ amount }) => amount)),
    }))
    const whole = sum(plans.map(({ amount }) => Math.max(0, amount)))
    const [{ plan_id, events, amount } = { plan_id: '', events: 0, amount: 0 }] = plans.sort((a, b) => b.amount - a.amount)
    found.set(type, { plan_id, events, all_events: own.length, share: amount / whole })
  }
  return found
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
