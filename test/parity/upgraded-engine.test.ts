import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { catalogOf, monthlyPlan } from '../support/data/scenario-tables.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const CANCELED = '2025-03-10 00:00:00'

/** Three customers whose subscriptions were cancelled: two before the engine wrote history rows, one after. */
async function fill(database: TestDatabase): Promise<void> {
  const owned = (key: number) => ({ account_record_id: key })
  const numbers = [1, 2, 3]
  await insertRows(database, 'tenants', [{ external_key: 'upgraded', api_key: 'upgraded' }])
  await insertRows(database, 'tenant_kvs', [{ tenant_value: catalogOf(monthlyPlan('pro', '30')) }])
  await insertRows(
    database,
    'accounts',
    numbers.map((key) => ({ record_id: key })),
  )
  await insertRows(
    database,
    'bundles',
    numbers.map((key) => ({ id: `b${key}`, account_id: 'a', external_key: `b${key}`, ...owned(key) })),
  )
  await insertRows(
    database,
    'subscriptions',
    numbers.map((key) => ({ id: `s${key}`, bundle_id: `b${key}`, start_date: '2025-01-01 00:00:00', ...owned(key) })),
  )
  const event = (key: number, more: Readonly<Record<string, unknown>>) => ({
    subscription_id: `s${key}`,
    quantity: 0,
    ...owned(key),
    ...more,
  })
  await insertRows(database, 'subscription_events', [
    ...numbers.map((key) =>
      event(key, {
        record_id: key,
        user_type: 'CREATE',
        effective_date: '2025-01-01 00:00:00',
        plan_name: 'pro',
        phase_name: 'pro-evergreen',
        price_list_name: 'DEFAULT',
      }),
    ),
    ...numbers.map((key) => event(key, { record_id: 10 + key, user_type: 'CANCEL', effective_date: CANCELED })),
  ])
  // The number of this history row is that of another event, whose audit is not its own.
  await insertRows(database, 'subscription_event_history', [
    event(3, { record_id: 11, target_record_id: 13, event_type: 'API_USER', user_type: 'CANCEL', effective_date: CANCELED }),
  ])
  await insertRows(database, 'audit_log', [
    { record_id: 1, table_name: 'SUBSCRIPTION_EVENTS', target_record_id: 11, reason_code: 'price' },
    { record_id: 2, table_name: 'SUBSCRIPTION_EVENTS', target_record_id: 12, reason_code: 'quality' },
    { record_id: 3, table_name: 'SUBSCRIPTION_EVENT_HISTORY', target_record_id: 11, reason_code: 'moved' },
  ])
}

firstEngineAndOneOther('an engine that was upgraded from 0.20', (target) => {
  let engines: readonly Engine[] = []
  beforeAll(async () => {
    const database = await killbillDatabase(target)
    await fill(database)
    const { engine: cached } = await cachedEngineOver(database)
    engines = [await engineOver(database), cached]
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
  })

  it('reasons of cancellations are found under the event and under its history row (KB 1.5)', async () => {
    for (const engine of engines) {
      const { data } = await engine.query(
        'churn',
        { query_type: 'logo', start: '2025-03-01', end: '2025-03-31' },
        { dimensions: ['cancel_reason'] },
      )
      const counted = (data as { cancel_reason: string | null; churn_count: number }[]).map((row) => [
        row.cancel_reason,
        row.churn_count,
      ])
      expect(counted.sort()).toEqual([
        ['moved', 1],
        ['price', 1],
        ['quality', 1],
      ])
    }
  })
})
