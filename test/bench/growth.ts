import { createHash } from 'node:crypto'
import { type FixtureRows, readFixture } from '../support/data/killbill/killbill-fixture.ts'

/** A row of `subscription_events`, cells as in the recording. */
export type EventRow = Readonly<Record<string, string | null>>

const DAY_MS = 86_400_000
const ONE_CHANGE_EVERY_MS = 120 * DAY_MS
const RECORDING_ENDS = '2026-11-20 06:00:00'
const QUANTITIES = 12
// Coprime with QUANTITIES: neighbouring changes of a subscription never repeat a quantity.
const QUANTITY_STEP = 5

/**
 * Further QUANTITY_UPDATE rows for the recorded tenant, evenly spread over the life of each subscription, one per 120 days: with them
 * a subscription has more than four active rows on average. Always the same rows.
 */
export function extraQuantityUpdates(tenantRecordId: string): readonly EventRow[] {
  const events = records(readFixture('subscription_events')).filter((row) => row['tenant_record_id'] === tenantRecordId)
  const active = events.filter((row) => row['is_active'] === 't')
  const firstFree = Math.max(...events.map((row) => Number(row['record_id']))) + 1
  const ends = endsOf(active)
  const extras: EventRow[] = []
  records(readFixture('subscriptions')).forEach((subscription, seed) => {
    const id = text(subscription, 'id')
    const first = active.find((row) => row['subscription_id'] === id)
    if (first === undefined || subscription['tenant_record_id'] !== tenantRecordId) return
    const from = instant(text(subscription, 'start_date'))
    const until = instant([ends.get(id), baseEnd(subscription, ends), RECORDING_ENDS].filter(isText).sort()[0] ?? RECORDING_ENDS)
    const changes = Math.floor((until - from) / ONE_CHANGE_EVERY_MS)
    for (let change = 1; change <= changes; change++) {
      const at = written(from + ((until - from) * change) / (changes + 1))
      const quantity = 1 + ((seed + QUANTITY_STEP * change) % QUANTITIES)
      extras.push(quantityUpdate(first, `${firstFree + extras.length}`, `${id}:${change}`, at, quantity))
    }
  })
  return extras
}

function quantityUpdate(like: EventRow, recordId: string, name: string, at: string, quantity: number): EventRow {
  return {
    ...like,
    record_id: recordId,
    id: uuid(name),
    event_type: 'QUANTITY_UPDATE',
    user_type: null,
    effective_date: at,
    plan_name: null,
    phase_name: null,
    price_list_name: null,
    quantity: `${quantity}`,
    created_date: at,
    updated_date: at,
  }
}

/** First cancellation or expiry of each subscription. */
function endsOf(active: readonly EventRow[]): ReadonlyMap<string, string> {
  const ends = new Map<string, string>()
  for (const row of active) {
    if (row['user_type'] !== 'CANCEL' && row['event_type'] !== 'EXPIRED') continue
    const id = text(row, 'subscription_id')
    const at = text(row, 'effective_date')
    const known = ends.get(id)
    if (known === undefined || at < known) ends.set(id, at)
  }
  return ends
}

// An add-on lives no longer than the base of its bundle.
function baseEnd(subscription: EventRow, ends: ReadonlyMap<string, string>): string | undefined {
  if (subscription['category'] !== 'ADD_ON') return undefined
  const base = records(readFixture('subscriptions')).find(
    (other) => other['bundle_id'] === subscription['bundle_id'] && other['category'] === 'BASE',
  )
  return base === undefined ? undefined : ends.get(text(base, 'id'))
}

/** Rows of a fixture by column name. */
export function records({ columns, rows }: FixtureRows): readonly EventRow[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])))
}

function text(row: EventRow, column: string): string {
  return row[column] ?? ''
}

function isText(value: string | undefined): value is string {
  return value !== undefined
}

function instant(written: string): number {
  return Date.parse(`${written.replace(' ', 'T')}Z`)
}

function written(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}

function uuid(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex')
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20, 32)].join('-')
}
