import type { Instant } from './instant.ts'
import type { EventRow } from './rows.ts'

/** What a row does to the fold (KB 2.1, 2.3). */
export type EventKind = 'start' | 'transfer' | 'change' | 'phase' | 'quantity' | 'cancel' | 'expiry'

export interface LifeEvent {
  readonly at: Instant
  readonly kind: EventKind
  readonly row: EventRow
}

const USER_KINDS: Readonly<Record<string, EventKind>> = {
  CREATE: 'start',
  RE_CREATE: 'start',
  MIGRATE_ENTITLEMENT: 'start',
  MIGRATE_BILLING: 'start',
  TRANSFER: 'transfer',
  CHANGE: 'change',
  CANCEL: 'cancel',
}

const EVENT_KINDS: Readonly<Record<string, EventKind>> = { PHASE: 'phase', QUANTITY_UPDATE: 'quantity', EXPIRED: 'expiry' }

/** Kind of a row; null for what the fold ignores: UNCANCEL, UNDO_CHANGE, bill cycle days, words of later engines (KB 2.1). */
export function eventKind(row: EventRow): EventKind | null {
  const kinds = row.event_type === 'API_USER' ? USER_KINDS : EVENT_KINDS
  const word = row.event_type === 'API_USER' ? (row.user_type ?? '') : row.event_type
  return Object.hasOwn(kinds, word) ? (kinds[word] ?? null) : null
}

/** Active rows of one subscription that have taken effect (D2), in the order of the fold (KB 2.2). */
export function orderEvents(rows: readonly EventRow[], now: Instant): LifeEvent[] {
  return rows
    .filter((row) => row.is_active && row.effective_date <= now)
    .flatMap((row) => {
      const kind = eventKind(row)
      return kind === null ? [] : [{ at: row.effective_date, kind, row }]
    })
    .sort(compareEvents)
}

function compareEvents(a: LifeEvent, b: LifeEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  const starts = Number(begins(b)) - Number(begins(a))
  return starts !== 0 ? starts : a.row.record_id - b.row.record_id
}

/** True for rows with which a subscription can begin. */
export function begins(event: LifeEvent): boolean {
  return event.kind === 'start' || event.kind === 'transfer'
}
