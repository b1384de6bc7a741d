import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { type QueryRunner, sql, value } from '../../../../../src/connector-kit/query-runner.ts'
import { type AccountPage, inPage } from '../fold/account-statements.ts'
import { type AccountAttributes, readAttributes } from './attributes.ts'

/** Facts that only lists, slices and segments need: reasons of cancellations (D46), fields and tags of accounts. */
export interface Details {
  /** Text of the custom field by subscription. */
  readonly stated: ReadonlyMap<string, string>
  /** Reason code by `record_id` of the CANCEL event. */
  readonly audited: ReadonlyMap<number, string>
  /** By `record_id` of the account. */
  readonly attributes: ReadonlyMap<number, AccountAttributes>
}

export const NO_DETAILS: Details = { stated: new Map(), audited: new Map(), attributes: new Map() }

/** Reads the details of a page of accounts. `cancels` are the `record_id`s of its CANCEL events. */
export async function readDetails(
  run: QueryRunner,
  page: AccountPage,
  cancels: readonly number[],
  cancelReasonField: string,
): Promise<Details> {
  const fields = await run(
    'killbill.fill.reasons',
    sql`select t.object_id, t.field_value from custom_fields as t
where ${inPage(page)} and t.is_active = true and t.object_type = 'SUBSCRIPTION' and t.field_name = ${value(cancelReasonField, 'text')}
  and t.field_value is not null order by t.record_id`,
  )
  const codes =
    cancels.length === 0
      ? []
      : await run(
          'killbill.fill.reason.codes',
          sql`select written.event_record_id, written.reason_code from (
  select history.target_record_id as event_record_id, entry.reason_code, entry.record_id
  from subscription_event_history as history
  join audit_log as entry on entry.target_record_id = history.record_id and entry.table_name = 'SUBSCRIPTION_EVENT_HISTORY'
    and entry.change_type = 'INSERT'
  where history.target_record_id in (${value(cancels, 'integers')}) and history.user_type = 'CANCEL' and entry.reason_code is not null
  union all
  select entry.target_record_id, entry.reason_code, entry.record_id
  from audit_log as entry
  where entry.target_record_id in (${value(cancels, 'integers')}) and entry.table_name = 'SUBSCRIPTION_EVENTS'
    and entry.change_type = 'INSERT' and entry.reason_code is not null
) as written
order by written.record_id`,
        )
  return {
    stated: newest(fields, 'object_id', 'field_value', String),
    audited: newest(codes, 'event_record_id', 'reason_code', Number),
    attributes: await readAttributes(run, page),
  }
}

/** The last text of each key. */
function newest<Key>(rows: readonly Row[], key: string, column: string, keyOf: (cell: unknown) => Key): Map<Key, string> {
  return new Map(rows.map((row) => [keyOf(row[key]), String(row[column])]))
}
