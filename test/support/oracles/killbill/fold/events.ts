import { ordered } from './group.ts'
import type { Instant } from './instant.ts'
import type { EventRow } from './rows.ts'

/** The effect of a row on the fold (KB 2.1, 2.3). */
export type EventKind = 'start' | 'transfer' | 'change' | 'phase' | 'quantity' | 'cancel' | 'expiry'

export interface LifeEvent {
  readonly at: Instant
  readonly kind: EventKind
  readonly row: EventRow
}

const USER_KINDS: ReadonlyMap<string, EventKind> = new Map([
  ['CREATE', 'start'],
  ['RE_CREATE', 'start'],
  ['MIGRATE_ENTITLEMENT', 'start'],
  ['MIGRATE_BILLING', 'start'],
  ['TRANSFER', 'transfer'],
  ['CHANGE', 'change'],
  ['CANCEL', 'cancel'],
])

const EVENT_KINDS: ReadonlyMap<string, EventKind> = new Map([
  ['PHASE', 'phase'],
  ['QUANTITY_UPDATE', 'quantity'],
  ['EXPIRED', 'expiry'],
])

/**
 * Kind of a row. Null for rows that the fold ignores: UNCANCEL, UNDO_CHANGE, bill cycle days, words of later engines (KB 2.1).
 */
export function eventKind(row: Pick<EventRow, 'event_type' | 'user_type'>): EventKind | null {
  if (row.event_type === 'API_USER') return USER_KINDS.get(row.user_type ?? '') ?? null
  return EVENT_KINDS.get(row.event_type) ?? null
}

/** Active rows of one subscription that have taken effect (D2), in the order of the fold (KB 2.2). */
export function orderEvents(rows: readonly EventRow[], now: Instant): LifeEvent[] {
  const events: LifeEvent[] = []
  for (const row of rows) {
    if (!row.is_active || row.effective_date > now) continue
    const kind = eventKind(row)
    if (kind !== null) events.push({ at: row.effective_date, kind, row })
  }
  return ordered(events, compareEvents)
}

function compareEvents(a: LifeEvent, b: LifeEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  const starts = Number(begins(b)) - Number(begins(a))
  return starts !== 0 ? starts : a.row.record_id - b.row.record_id
}

/** True for rows with which a subscription can begin. */
export function begins(event: Pick<LifeEvent, 'kind'>): boolean {
  return event.kind === 'start' || event.kind === 'transfer'
}
