import { describe, expect, it } from 'vitest'
import type { Row } from '../../src/connector-kit/connector.ts'
import { realTables } from '../support/data/recorded/recorded-tables.ts'

/** The columns of each table that the cache reads and that its history must record. */
const WATCHED: Readonly<Record<string, readonly [history: string, columns: readonly string[]]>> = {
  accounts: ['account_history', ['name', 'email', 'country', 'currency', 'city']],
  bundles: ['bundle_history', ['external_key']],
  subscriptions: ['subscription_history', ['bundle_id', 'category', 'start_date', 'charged_through_date']],
  subscription_events: ['subscription_event_history', ['is_active', 'effective_date', 'plan_name', 'phase_name', 'quantity']],
  blocking_states: ['blocking_state_history', ['is_active', 'block_billing', 'effective_date']],
  tags: ['tag_history', ['is_active']],
  custom_fields: ['custom_field_history', ['is_active', 'field_value']],
  invoices: ['invoice_history', ['status', 'migrated']],
  invoice_items: ['invoice_item_history', ['amount', 'subscription_id', 'linked_item_id']],
  invoice_payments: ['invoice_payment_history', ['status', 'amount', 'payment_date']],
}

describe('the rows of a real server', () => {
  it.each(Object.entries(WATCHED))('%s: the newest history row of each row is the row', (table, [history, columns]) => {
    const newest = new Map<string, Row>()
    for (const row of realTables(history)) {
      const key = String(row['target_record_id'])
      if (Number(row['record_id']) > Number(newest.get(key)?.['record_id'] ?? 0)) newest.set(key, row)
    }
    const rows = realTables(table)
    expect(rows.length).toBeGreaterThan(0)
    const untold = rows.filter((row) => {
      const last = newest.get(String(row['record_id']))
      return last === undefined || columns.some((column) => last[column] !== row[column])
    })
    expect(untold).toEqual([])
  })
})
