import type { Row } from '../../../src/connector-kit/connector.ts'
import type { Evidence } from '../../../src/connector-kit/evidence.ts'
import { isTrue } from '../../../src/connector-kit/index.ts'
import { instantCell, parseInteger, text } from '../../../src/connector-kit/query-runner.ts'

/** A row of subscription_events: what it sets, from which day. */
export function eventNote(row: Row): Evidence {
  const kind = row['user_type'] === null ? text(row['event_type']) : text(row['user_type'])
  const day = dayOf(row['effective_date'])
  const quantity = row['quantity'] === null || row['quantity'] === undefined ? undefined : `quantity ${text(row['quantity'])}`
  const plan = row['plan_name'] === null ? undefined : `plan ${text(row['plan_name'])}`
  const phase = row['phase_name'] === null || plan !== undefined ? undefined : `phase ${text(row['phase_name'])}`
  const set = [plan, phase, quantity].filter((part) => part !== undefined).join(', ')
  const note = set === '' ? `${kind} on ${day}` : `${set} since ${day} (${kind})`
  return { ...placeOf('subscription_events', row), occurred_at: instantCell(row, 'effective_date'), note }
}

/** A row of blocking_states. */
export function blockNote(row: Row): Evidence {
  const effect = isTrue(row['block_billing']) ? 'billing blocked' : 'billing not blocked'
  const where = `${text(row['state'])} of ${text(row['service'])} on the ${text(row['type']).toLowerCase().replaceAll('_', ' ')}`
  const note = `${effect} since ${dayOf(row['effective_date'])} (${where})`
  return { ...placeOf('blocking_states', row), occurred_at: instantCell(row, 'effective_date'), note }
}

/** A row of invoices. */
export function invoiceNote(row: Row): Evidence {
  const note = `invoice of ${dayOf(row['invoice_date'])} in ${text(row['currency'])}, ${text(row['status']).toLowerCase()}`
  return { ...placeOf('invoices', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of invoice_items. */
export function itemNote(row: Row): Evidence {
  const end = row['end_date'] === null ? '' : ` to ${dayOf(row['end_date'])}`
  const amount = Number(text(row['amount']))
  const note = `${text(row['type'])} item of ${amount} from ${dayOf(row['start_date'])}${end}`
  return { ...placeOf('invoice_items', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of accounts. */
export function accountNote(row: Row): Evidence {
  const note = `account created on ${dayOf(row['created_date'])}`
  return { ...placeOf('accounts', row), occurred_at: instantCell(row, 'created_date'), note }
}

function placeOf(table: string, row: Row): Pick<Evidence, 'table' | 'record_id' | 'id'> {
  const id = row['id']
  return { table, record_id: parseInteger(row['record_id']), id: typeof id === 'string' ? id : null }
}

function dayOf(cell: Row[string] | undefined): string {
  return text(cell).slice(0, 10)
}
