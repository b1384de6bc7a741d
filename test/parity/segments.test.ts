import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { expectIdentities, type Ids } from '../support/oracles/segment-identities.ts'
import { type NarrowedRequest, narrowedRequests } from '../support/product/narrowed-requests.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { allOf, anyOf, keptStore, segmentId } from '../support/product/store-with-segments.ts'

/** Answers by request of the targets that ran before: every target must give the same bytes (I23). */
const answers = new Map<string, string>()

const BY_ATTRIBUTE: Ids = { some: segmentId(1), others: segmentId(2), everybody: segmentId(3) }
const BY_CUSTOMER: Ids = { some: segmentId(4), others: segmentId(5), everybody: segmentId(3) }

const SEGMENTS = {
  [segmentId(1)]: allOf({ field: 'attr.tier', op: 'in', value: ['gold', 'Gold '] }),
  [segmentId(2)]: anyOf({ field: 'attr.tier', op: 'not in', value: ['gold', 'Gold '] }, { field: 'attr.tier', op: 'is_empty' }),
  [segmentId(3)]: allOf(),
  [segmentId(4)]: anyOf({ field: 'computed.tenure_months', op: '<', value: 9 }, { field: 'currency', op: '=', value: 'usd' }),
  [segmentId(5)]: allOf(
    { field: 'computed.tenure_months', op: '>=', value: 9 },
    { field: 'customer.currency', op: '!=', value: 'USD' },
  ),
  [segmentId(6)]: allOf({ field: 'subscription.plan_id', op: 'is_empty' }),
  [segmentId(7)]: allOf({ field: 'plan_id', op: 'is_not_empty' }),
}

/** An engine whose customers have every third tier, none for every fifth. */
async function engineWithTiers(
  database: TestDatabase,
  options: Parameters<typeof engineOver>[1],
  rates: string,
): Promise<Engine> {
  const plain = await engineOver(database, options)
  const { rows } = (await plain.list('customers', { limit: 1000 })).data as {
    rows: readonly { readonly id: string; readonly source_id: string }[]
  }
  const tiers = ['gold', 'silver', 'Gold ', 'GOLD', '']
  const values = rows
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id, source_id }, index) =>
      index % 7 === 0 ? [] : [{ source_id, customer_id: id, value: tiers[index % 5] ?? '' }],
    )
  const store = await keptStore({ attributes: { tier: { type: 'string', values } }, segments: SEGMENTS }, rates)
  return engineOver(database, { ...options, store })
}

function nameOf({ metric, params, dimensions = [] }: NarrowedRequest): string {
  return [metric, params['query_type'] ?? params['type'], ...dimensions].filter((part) => part !== undefined).join(' ')
}

/** Cut by the reason of a churn, whose rows carry customers only where both a segment and the others have churn. */
function isAboutReasons({ dimensions = [] }: NarrowedRequest): boolean {
  return dimensions.includes('cancel_reason')
}

function expectSameAsBefore(request: NarrowedRequest, data: readonly unknown[]): void {
  const [key, found] = [JSON.stringify(request), JSON.stringify(data)]
  expect(found, `I23 ${key}`).toBe(answers.get(key) ?? found)
  answers.set(key, found)
}

firstEngineAndOneOther('segments on a generated history', (target) => {
  let engine: Engine
  beforeAll(async () => {
    // A seed with churn in both branches: a branch without any has no row of a reason that would carry its customers.
    const { database } = await fillDatabase(target, generatedHistory(816, 60))
    const options = { tenant: ['all'], now: new Date('2025-01-15T00:00:00Z'), definitions: { allow_unpriced: true } }
    engine = await engineWithTiers(database, options, RATES_CSV)
  })

  const requests = narrowedRequests('2024-03-10', '2024-11-20').map((request, index) => ({
    request,
    // By pairs, so that every second request still meets both.
    ids: index % 4 < 2 ? BY_ATTRIBUTE : BY_CUSTOMER,
    name: nameOf(request),
  }))
  // The recording lacks what the reasons need, so that they are always asked here.
  const always = requests.filter(({ request }) => isAboutReasons(request))
  const others = requests.filter(({ request }) => !isAboutReasons(request))
  it.each([...always, ...sampleOf(target, others, { first: 7, others: 13 })])('$name (I5, I7, I8)', async ({ request, ids }) => {
    expectSameAsBefore(request, await expectIdentities(engine, request, ids))
  })

  it('lists keep to the customers of a segment', async () => {
    for (const list of sampleOf(target, ['customers', 'subscriptions', 'invoices'] as const, { first: 3, others: 2 })) {
      const total = async (spec: Readonly<Record<string, unknown>>) =>
        ((await engine.list(list, { limit: 1 }, spec)).data as { readonly total: number }).total
      const [all, some, others] = [
        await total({}),
        await total({ segment: segmentId(1) }),
        await total({ segment: segmentId(2) }),
      ]
      expect(some + others, list).toBe(all)
      expect(some > 0 && others > 0, list).toBe(true)
    }
  })

  it('a segment on stretches, and everybody else (D62)', async () => {
    const range = { start: '2024-03-10', end: '2024-11-20' }
    const breakdown = async (spec: Readonly<Record<string, unknown>>) =>
      (await engine.query('mrr', { query_type: 'breakdown', ...range }, spec)).data as readonly Readonly<Record<string, number>>[]
    const [all, none, some] = [
      await breakdown({}),
      await breakdown({ segment: segmentId(6) }),
      await breakdown({ segment: segmentId(7) }),
    ]
    const amounts = (rows: typeof all) => rows.map((row) => row['amount_base'] ?? 0)
    expect(amounts(none).map((amount, index) => amount + (amounts(some)[index] ?? 0))).toEqual(amounts(all))
    expect(amounts(none).some((amount) => amount !== 0) && amounts(some).some((amount) => amount !== 0)).toBe(true)
  })
})

firstEngineAndOneOther('segments on the recording', (target) => {
  let engine: Engine
  beforeAll(async () => {
    const rates = readFileSync(join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv'), 'utf8')
    engine = await engineWithTiers(await sharedReal(target), { tenant: ['beta'] }, rates)
  })

  // Those that the generated history is not asked.
  const requests = sampleOf(
    target,
    narrowedRequests('2026-05-05', '2026-10-31').filter((request) => !isAboutReasons(request)),
    { first: 7, others: 21, shift: 4 },
  )
  it.each(requests.map((request) => ({ request, name: nameOf(request) })))('$name (I5, I7, I8)', async ({ request }) => {
    expectSameAsBefore(request, await expectIdentities(engine, request, BY_ATTRIBUTE))
  })

  it("the engine's own attributes narrow as stored ones do", async () => {
    const mrr = async (filters: Readonly<Record<string, unknown>>) => (await engine.query('mrr', {}, { filters })).data as number
    const all = await mrr({})
    for (const [key, some, others] of [
      ['attr.employees', { '>=': '50' }, { '<': 50 }],
      ['attr.onboarded', true, { '!=': 'true' }],
      ['attr.signed_at', { '>=': '2025-06-01' }, { '<': '2025-06-01' }],
    ] as const) {
      const parts = [await mrr({ [key]: some }), await mrr({ [key]: others }), await mrr({ [key]: { is_empty: true } })]
      expect(
        parts.reduce((sum, part) => sum + part, 0),
        key,
      ).toBe(all)
      expect(parts.filter((part) => part > 0).length, key).toBeGreaterThanOrEqual(2)
      expect(JSON.stringify(parts), `I23 ${key}`).toBe(answers.get(key) ?? JSON.stringify(parts))
      answers.set(key, JSON.stringify(parts))
    }
  })
})
