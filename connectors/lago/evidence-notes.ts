import Big from 'big.js'
import type { Row } from '../../src/connector-kit/connector.ts'
import type { Evidence } from '../../src/connector-kit/evidence.ts'
import { instantCell, parseInteger, text } from '../../src/connector-kit/query-runner.ts'

/** Amounts in the engine's own units as words. */
export type AmountText = (cents: Row[string] | undefined, currency: Row[string] | undefined) => string

/** The words for amounts. `factors` has the currencies whose amounts are not in hundredths (`lago_minor_unit`). */
export function amountTexts(factors: ReadonlyMap<string, string>): AmountText {
  return (cents, currency) => {
    const code = text(currency)
    return `${new Big(text(cents))
      .times(factors.get(code) ?? '1')
      .div(100)
      .toFixed()} ${code}`
  }
}

const INTERVALS = ['weekly', 'monthly', 'yearly', 'quarterly', 'semiannual']

/** A row of subscriptions. `plan` is the code of its plan now. */
export function subscriptionNote(row: Row, plan: string): Evidence {
  const end = row['ended_at'] === null ? '' : ` to ${dayOf(row['ended_at'])}`
  return evidence(
    'subscriptions',
    row,
    'started_at',
    `subscription ${text(row['external_id'])} from ${dayOf(row['started_at'])}${end}, now on plan ${plan}`,
  )
}

/** A row of plans: its price now, and its trial. */
export function planNote(row: Row, amount: AmountText): Evidence {
  const trial = Number(row['trial_period'] ?? 0)
  const period = INTERVALS[parseInteger(row['interval'] ?? -1)]
  const price =
    row['amount_cents'] === null
      ? 'has its price in the product catalog'
      : `costs ${amount(row['amount_cents'], row['amount_currency'])}`
  const parts = [`plan ${text(row['code'])} now ${price}`, period, trial > 0 ? `with a trial of ${trial} days` : undefined]
  return { ...evidence('plans', row, 'updated_at', parts.filter((part) => part !== undefined).join(' ')), occurred_at: null }
}

/** A row of versions: a price that was edited, or a subscription that was moved to another plan. */
export function versionNote(row: Row, amount: AmountText, plan: { readonly code: string; readonly currency: string }): Evidence {
  const day = dayOf(row['created_at'])
  const note =
    row['item_type'] === 'Plan'
      ? `price of plan ${plan.code} changed on ${day} from ${amount(row['amount_before'], plan.currency)} to ${amount(row['amount_after'], plan.currency)}`
      : `plan of the subscription changed on ${day} from row ${text(row['plan_before'])} to row ${text(row['plan_after'])}`
  return numbered(row, 'created_at', note)
}

/** A row of versions, the one table whose rows have numbers. */
function numbered(row: Row, column: string, note: string): Evidence {
  return { table: 'versions', record_id: parseInteger(row['id'] ?? 0), id: null, occurred_at: instantCell(row, column), note }
}

/** A row of fixed_charges. */
export function fixedChargeNote(row: Row): Evidence {
  const { amount } = JSON.parse(text(row['properties'])) as { readonly amount?: string | number }
  const price = amount === undefined ? '' : ` at ${amount}`
  const end = row['deleted_at'] === null ? '' : `, deleted on ${dayOf(row['deleted_at'])}`
  const note = `fixed charge ${text(row['code'])} now ${text(row['charge_model'])}${price}, created on ${dayOf(row['created_at'])}${end}`
  return evidence('fixed_charges', row, 'created_at', note)
}

/** A row of fixed_charge_events. */
export function unitNote(row: Row, charge: string): Evidence {
  const units = new Big(text(row['units'])).toFixed()
  return evidence('fixed_charge_events', row, 'stamped_at', `${units} units of ${charge} since ${dayOf(row['stamped_at'])}`)
}

/** A row of charges that was deleted. */
export function chargeNote(row: Row): Evidence {
  return evidence('charges', row, 'deleted_at', `usage charge deleted on ${dayOf(row['deleted_at'])}`)
}

/** Words for the types of fees. */
const FEES = ['usage', 'add-on', 'subscription fee', 'wallet credits', 'minimum commitment', 'fixed charge']

/** A row of fees. */
export function feeNote(row: Row, amount: AmountText): Evidence {
  const kind = FEES[parseInteger(row['fee_type'] ?? 0)] ?? 'fee'
  const from = row['served_from'] === null ? '' : ` from ${text(row['served_from'])}`
  const note = `${kind} of ${amount(row['amount_cents'], row['amount_currency'])}${from}`
  return { ...evidence('fees', row, 'succeeded_at', note), occurred_at: null }
}

/** A row of invoices. */
export function invoiceNote(row: Row, amount: AmountText): Evidence {
  const total = amount(row['total_amount_cents'], row['currency'])
  const number = row['number'] === '' ? '' : ` ${text(row['number'])}`
  return evidence(
    'invoices',
    row,
    'committed_at',
    `invoice${number} of ${dayOf(row['issuing_date'] ?? row['created_at'])}, ${total}`,
  )
}

/** A row of credit_notes, with its parts. */
export function creditNote(row: Row, amount: AmountText): Evidence {
  const parts = [
    ['credit', row['credit_amount_cents']],
    ['refund', row['refund_amount_cents']],
    ['offset', row['offset_amount_cents']],
  ] as const
  const listed = parts.filter(([, cents]) => parseInteger(cents ?? 0) !== 0)
  const note = `credit note of ${dayOf(row['created_at'])}: ${listed.map(([kind, cents]) => `${kind} ${amount(cents, row['currency'])}`).join(', ')}`
  return evidence('credit_notes', row, 'created_at', note)
}

/** A payment, a credit note that settled a part of an invoice, or a change of its status to paid. */
export function settlementNote(row: Row, amount: AmountText): Evidence {
  const kind = text(row['kind'])
  if (kind === 'mark') return numbered(row, 'settled_at', `invoice marked as paid on ${dayOf(row['settled_at'])}`)
  const paid = amount(row['amount_cents'], row['amount_currency'])
  const note = `${kind === 'credit note' ? kind : `${kind} payment`} of ${paid} on ${dayOf(row['settled_at'])}`
  return evidence(text(row['table_name']), row, 'settled_at', note)
}

/** A row of customers. */
export function customerNote(row: Row): Evidence {
  return evidence('customers', row, 'created_at', `customer created on ${dayOf(row['created_at'])}`)
}

function evidence(table: string, row: Row, column: string, note: string): Evidence {
  return { table, record_id: null, id: text(row['id']), occurred_at: instantCell(row, column), note }
}

function dayOf(cell: Row[string] | undefined): string {
  return text(cell).slice(0, 10)
}
