import { beforeAll, expect, it } from 'vitest'
import type { Row } from '../../src/connector-kit/connector.ts'
import { type Filled, fillDatabase } from '../support/data/histories/filled-database.ts'
import { GENERATED_RATES, generatedHistory } from '../support/data/histories/generated-history.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { bySubscription, levelFaults, spanFaults } from '../support/product/ledger-faults.ts'
import { relationRows } from '../support/product/relation-rows.ts'

const [SEED] = HISTORIES.identities_of_relations
const NOW = '2025-01-15 00:00:00'
const NAMES = ['mrr_span', 'mrr_movement', 'trial'] as const

function request(now: string) {
  return { now: new Date(`${now.replace(' ', 'T')}Z`), tenant: ['all'], rates: GENERATED_RATES }
}

function text(rows: readonly Row[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}

oneEngineInRotation(`identities of the relations on a generated history, seed ${SEED}`, (target) => {
  let filled: Filled
  let rows: Record<(typeof NAMES)[number], readonly Row[]>
  beforeAll(async () => {
    filled = await fillDatabase(target, generatedHistory(...HISTORIES.identities_of_relations))
    rows = await relationRows(filled.database, NAMES, request(NOW))
  })

  it('spans are maximal, in order, without overlap, and only the last has an end reason (D28)', () => {
    expect(spanFaults(rows.mrr_span), `seed ${SEED}`).toEqual([])
    expect(bySubscription(rows.mrr_span).size).toBeGreaterThan(100)
  })

  it('movements of a subscription and component add up to its level before and at every instant (I1)', () => {
    expect(levelFaults(rows.mrr_span, rows.mrr_movement), `seed ${SEED}`).toEqual([])
  })

  it('one currency: base is original (I19)', () => {
    for (const name of ['mrr_span', 'mrr_movement'] as const) {
      const dollars = rows[name].filter((row) => row['currency'] === 'USD')
      const cents = name === 'mrr_span' ? ['mrr', 'subscription_mrr', 'usage_mrr'] : ['amount']
      const differing = dollars.filter((row) =>
        cents.some((one) => String(row[`${one}_cents`]) !== String(row[`${one}_base_cents`])),
      )
      expect(differing).toEqual([])
      expect(dollars.length).toBeGreaterThan(50)
    }
  })

  it('a later now changes nothing before, but for pauses younger than 24 hours (I20, D20)', async () => {
    // Just after the openings of 2024-03-16 12:00:00, which the closings of the next day make long enough.
    for (const [now, settled] of [
      ['2024-03-18 13:00:00', '2024-03-17 13:00:00'],
      ['2024-10-02 00:00:00', '2024-10-01 00:00:00'],
    ] as const) {
      const earlier = await relationRows(filled.database, ['mrr_movement'], request(now))
      const until = (found: readonly Row[]) =>
        text(found.filter((row) => String(row['occurred_at']) < settled).map(({ plan_key: _key, ...row }) => row))
      expect(until(earlier.mrr_movement)).toEqual(until(rows.mrr_movement))
      expect(until(earlier.mrr_movement).length).toBeGreaterThan(50)
    }
  })

  it('subscriptions that never leave their trial change trials only (I22)', async () => {
    const counted = new Set(rows.mrr_span.map((row) => Number(row['customer_key'])))
    const account = filled.tables('accounts').find((row) => counted.has(Number(row['record_id'])))
    const owner = { account_record_id: account?.['record_id'], tenant_record_id: account?.['tenant_record_id'] }
    await filled.add('bundles', [{ ...owner, id: 'bundle-trial', account_id: account?.['id'], external_key: 'trial-only' }])
    const added = ['running', 'cancelled'].map((name) => ({ id: `trial-${name}`, external_key: name, bundle_id: 'bundle-trial' }))
    await filled.add(
      'subscriptions',
      added.map((row) => ({ ...row, ...owner, category: 'STANDALONE' })),
    )
    const create = { ...owner, user_type: 'CREATE', plan_name: 'phased', phase_name: 'phased-trial', price_list_name: 'DEFAULT' }
    await filled.add('subscription_events', [
      ...added.map(({ id }) => ({ ...create, subscription_id: id, effective_date: '2024-05-01 00:00:00', quantity: 0 })),
      { ...owner, subscription_id: 'trial-cancelled', user_type: 'CANCEL', effective_date: '2024-05-10 00:00:00', quantity: 0 },
    ])
    const after = await relationRows(filled.database, NAMES, request(NOW))
    const live = (found: readonly Row[]) =>
      text(found.filter((row) => !['true', '1'].includes(String(row['is_trial']))).map(({ plan_key: _key, ...row }) => row))
    expect(live(after.mrr_span)).toEqual(live(rows.mrr_span))
    expect(text(after.mrr_movement)).toEqual(text(rows.mrr_movement))
    expect(after.trial.length).toBe(rows.trial.length + 2)
  })
})
