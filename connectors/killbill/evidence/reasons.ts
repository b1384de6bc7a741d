import type { Row } from '../../../src/connector-kit/connector.ts'
import { type Evidence, type EvidenceSubject, isAt } from '../../../src/connector-kit/evidence.ts'
import { instantCell, parseInteger, sql, text, textList, value } from '../../../src/connector-kit/query-runner.ts'
import { groupBy } from '../../../src/core/group-by.ts'
import type { Place } from './records.ts'

/** Rows that state reasons of cancellations, by subscription and by the number of the CANCEL, the newest last. */
export interface StatedReasons {
  readonly field: string
  readonly fields: ReadonlyMap<string, readonly Row[]>
  readonly audits: ReadonlyMap<string, readonly Row[]>
}

/** The custom fields and audit rows with the reasons of some CANCEL events, as in the relation `cancellation`. */
export async function readReasons(place: Place, field: string, cancels: readonly Row[]): Promise<StatedReasons> {
  if (cancels.length === 0) return { field, fields: new Map(), audits: new Map() }
  const { run, tenants } = place
  const subscriptions = textList([...new Set(cancels.map((cancel) => String(cancel['subscription_id'])))])
  const keys = value(
    cancels.map((cancel) => Number(cancel['record_id'])),
    'integers',
  )
  const fields = await run(
    'killbill.evidence.reasons',
    sql`select own.record_id, own.object_id as subscription_id, own.field_value as reason
      from custom_fields as own
      where own.tenant_record_id in (${value(tenants, 'integers')}) and own.is_active = true and own.object_type = 'SUBSCRIPTION'
        and own.field_name = ${value(field, 'text')} and own.field_value is not null and own.object_id in (${subscriptions})`,
  )
  const audits = await run(
    'killbill.evidence.reason_codes',
    sql`select entry.record_id, history.target_record_id as event_key, entry.reason_code as reason
      from subscription_event_history as history
      join audit_log as entry on entry.target_record_id = history.record_id and entry.table_name = 'SUBSCRIPTION_EVENT_HISTORY'
        and entry.change_type = 'INSERT'
      where history.user_type = 'CANCEL' and history.target_record_id in (${keys}) and entry.reason_code is not null
      union all
      select entry.record_id, entry.target_record_id, entry.reason_code
      from audit_log as entry
      where entry.table_name = 'SUBSCRIPTION_EVENTS' and entry.change_type = 'INSERT' and entry.target_record_id in (${keys})
        and entry.reason_code is not null`,
  )
  return {
    field,
    fields: groupBy(byNumber(fields), (row) => String(row['subscription_id'])),
    audits: groupBy(byNumber(audits), (row) => String(row['event_key'])),
  }
}

/** The row that states the reason of a cancellation. A subscription's own comes before that of its base. */
export function reasonOf(subject: EvidenceSubject, events: readonly Row[], reasons: StatedReasons): readonly Evidence[] {
  const { subscription_id, cancel_reason, at } = subject
  if (cancel_reason === null) return []
  const cancels = events.filter((event) => isCancel(event) && isAt(event, 'effective_date', at)).reverse()
  const isOwn = (event: Row) => event['subscription_id'] === subscription_id
  const notes = [...cancels.filter(isOwn), ...cancels.filter((event) => !isOwn(event))].flatMap((cancel) =>
    noteOf(cancel, cancel_reason, reasons),
  )
  return notes.slice(0, 1)
}

/** True for an event with which a subscription is cancelled. */
export function isCancel(event: Row): boolean {
  return event['user_type'] === 'CANCEL'
}

// The newest custom field counts before the reason code. An empty text is no reason.
function noteOf(cancel: Row, reason: string, { field, fields, audits }: StatedReasons): readonly Evidence[] {
  const stated = fields.get(String(cancel['subscription_id']))?.at(-1)
  const audited = audits.get(String(cancel['record_id']))?.at(-1)
  const isField = stated !== undefined && stated['reason'] !== ''
  const row = isField ? stated : audited
  if (row === undefined || row['reason'] !== reason) return []
  const note = isField
    ? `reason ${reason} (custom field ${field})`
    : `reason code ${reason} of the CANCEL on ${text(cancel['effective_date']).slice(0, 10)}`
  const table = isField ? 'custom_fields' : 'audit_log'
  return [
    { table, record_id: parseInteger(row['record_id']), id: null, occurred_at: instantCell(cancel, 'effective_date'), note },
  ]
}

function byNumber(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((one, other) => Number(one['record_id']) - Number(other['record_id']))
}
