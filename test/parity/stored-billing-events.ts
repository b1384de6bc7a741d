import { createRequire } from 'node:module'
import type { Row } from '../../src/connector-kit/connector.ts'
import { realLines } from '../support/data/recorded/recorded-files.ts'
import { realTables, type TenantName } from '../support/data/recorded/recorded-tables.ts'

const snappy = createRequire(import.meta.url)('snappyjs') as { uncompress(bytes: Uint8Array): Uint8Array }

const DAY_MS = 86_400_000

/** A billing event that the engine stored with an invoice (KB 3.9): unit price, quantity not included. */
export interface BillingEvent {
  readonly subscription_id: string
  readonly at: string
  readonly plan: string | null
  readonly phase: string | null
  readonly unit_price: number | null
  readonly kind: string
}

interface BillingEventSet {
  readonly subs: readonly {
    readonly subscriptionId: string
    readonly evts: readonly {
      readonly planName: string | null
      readonly phaseName: string | null
      readonly effDate: number
      readonly recurringPrice: number | null
      readonly transitionType: string
    }[]
  }[]
}

function sqlInstant(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

/** Events of every invoice run that had taken effect when it ran, in the engine's order, without repetitions. */
export function billingEvents(): BillingEvent[] {
  const seen = new Map<string, BillingEvent>()
  for (const row of realTables('invoice_billing_events')) {
    const bytes = Buffer.from(String(row['billing_events']).slice(2), 'hex')
    const set = JSON.parse(Buffer.from(snappy.uncompress(bytes)).toString('utf8')) as BillingEventSet
    for (const { subscriptionId, evts } of set.subs) {
      for (const event of evts) {
        const at = sqlInstant(event.effDate)
        if (at > String(row['created_date'])) continue
        const entry = {
          subscription_id: subscriptionId,
          at,
          plan: event.planName,
          phase: event.phaseName,
          unit_price: event.recurringPrice,
          kind: event.transitionType,
        }
        seen.set(JSON.stringify(entry), entry)
      }
    }
  }
  return [...seen.values()]
}

/** The server's own answer for a subscription at the end of the recording. */
export interface RestSubscription {
  readonly subscriptionId: string
  readonly externalKey: string
  readonly events: readonly {
    readonly eventType: string
    readonly effectiveDate: string
    readonly plan: string | null
    readonly phase: string | null
  }[]
}

/** Answers of a tenant; those that the server failed on are left out. */
export function restSubscriptions(tenant: TenantName): RestSubscription[] {
  return realLines<RestSubscription | { readonly error: number }>(`rest/${tenant}.subscriptions.ndjson.gz`).flatMap((answer) =>
    'error' in answer ? [] : [answer],
  )
}

/** Account-local day of an instant: the offset that the account's zone had at its reference time, for ever (KB 1.3). */
export function localDay(account: Row, at: string): string {
  return new Date(Date.parse(`${at.replace(' ', 'T')}Z`) + offsetMs(account)).toISOString().slice(0, 10)
}

const offsets = new Map<string, number>()

function offsetMs(account: Row): number {
  const id = String(account['id'])
  const known = offsets.get(id)
  if (known !== undefined) return known
  const reference = new Date(`${String(account['reference_time']).replace(' ', 'T')}Z`)
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: String(account['time_zone']),
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(reference)
  const offset = Date.parse(`${parts.replace(' ', 'T')}Z`) - reference.getTime()
  offsets.set(id, offset)
  return offset
}

/** One committed RECURRING item and a day of its period that no REPAIR_ADJ took back. */
export interface InvoicedDay {
  readonly subscription_id: string
  readonly account_record_id: number
  readonly phase: string
  readonly day: string
  /** Price × quantity for a whole period, decimal text. */
  readonly rate: string
}

/** Every invoiced day up to and including `until`; items of rate 0 are no evidence (KB 14, point 8). */
export function invoicedDays(until: string): InvoicedDay[] {
  const committed = new Set(realTables('invoices').flatMap((row) => (row['status'] === 'COMMITTED' ? [row['id']] : [])))
  const items = realTables('invoice_items').filter((row) => committed.has(row['invoice_id'] ?? null))
  const repairs = new Map<unknown, Row[]>()
  for (const row of items) {
    if (row['type'] === 'REPAIR_ADJ') repairs.set(row['linked_item_id'], [...(repairs.get(row['linked_item_id']) ?? []), row])
  }
  return items
    .filter((row) => row['type'] === 'RECURRING' && Number(row['rate']) !== 0)
    .flatMap((row) =>
      daysOf(String(row['start_date']), String(row['end_date']), until)
        .filter(
          (day) =>
            !(repairs.get(row['id']) ?? []).some(
              (repair) => String(repair['start_date']) <= day && day < String(repair['end_date']),
            ),
        )
        .map((day) => ({
          subscription_id: String(row['subscription_id']),
          account_record_id: Number(row['account_record_id']),
          phase: String(row['phase_name']),
          day,
          rate: String(row['rate']),
        })),
    )
}

function daysOf(from: string, to: string, until: string): string[] {
  const days: string[] = []
  for (let time = Date.parse(from); time < Date.parse(to); time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10)
    if (day <= until) days.push(day)
  }
  return days
}
