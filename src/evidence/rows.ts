import * as z from 'zod'
import { amount } from '../core/amount.ts'
import { instantCell, integerOrNull, textCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'

const text = (description: string) => z.string().nullable().describe(description)
const instant = (description: string) => z.string().nullable().describe(description).meta({ format: 'date-time' })
const cents = (description: string, label?: string) =>
  amount(z.number().int().nullable().describe(description), label === undefined ? {} : { label })
const whole = (description: string) => z.number().int().nullable().describe(description)

/** A row of the billing database that made a row behind a number, or that shows a finding. */
export const EVIDENCE = z
  .strictObject({
    table: z.string().describe('Table of the billing database'),
    record_id: whole('Its record number there; null if the billing engine has none, and the row has an id'),
    id: text('Its id there; null if it is not read'),
    occurred_at: instant('Instant that it is about'),
    note: z.string().describe('What it says, in words'),
  })
  .meta({ id: 'Evidence', description: 'A row of the billing database' })

/** One row behind a number (http-api.md 15). */
export const COUNTED_ROW = z.strictObject({
  customer_id: z.string().describe('Id of the customer'),
  customer_name: text('Name of the customer'),
  subscription_id: text('Subscription; null for a customer or an invoice'),
  plan_id: text('Plan after the change, or before it if the subscription ended'),
  movement_type: text('Kind of movement; null for other rows'),
  movement_source: text('Component of MRR that moved or counts: subscription or usage; null if both count'),
  occurred_at: instant('Instant of the movement, churn, payment or trial; null for a level'),
  reason: text('Reason of the movement'),
  churn_type: text('Kind of churn: logo or revenue; null for rows that are no churn'),
  cancel_reason: text('Recorded reason of the cancellation; null for a pause, for an expiry and without a reason'),
  document_id: text('Invoice, or charge of usage'),
  currency: text('Currency of `amount_cents`'),
  amount_cents: cents('What the row counts, in cents of its currency; null where only base amounts are known'),
  amount_base_cents: cents('What the row adds to `sum`, in base cents; null for counts and for amounts in other currencies'),
  rate_part_base_cents: cents(
    'Part of `amount_base_cents` that the exchange rate made, not the customer: the old amount at the rate of the movement, less its base amount until then; null for rows without a base amount',
    'By exchange rate',
  ),
  count: z.number().int().describe('What the row adds to `sum` if it is a count; 1 for amounts'),
  rate: text('Exchange rate into the base currency; null if none was needed'),
  rate_day: z.string().nullable().describe('Day of the exchange rate').meta({ format: 'date' }),
  plan_before: text('Plan just before'),
  plan_after: text('Plan from then on'),
  status_before: text('State just before: trialing, active or paused; null if the subscription did not exist'),
  status_after: text('State from then on; null if the subscription has ended'),
  quantity_before: whole('Quantity just before'),
  quantity_after: whole('Quantity from then on'),
  mrr_before_cents: cents('MRR just before, in cents of the currency'),
  mrr_after_cents: cents('MRR from then on, in cents of the currency'),
  usage_mrr_before_cents: cents('Usage part of `mrr_before_cents`'),
  usage_mrr_after_cents: cents('Usage part of `mrr_after_cents`'),
  unit_price_before_cents: cents('Recurring price of one unit and month just before, rounded to a cent of the currency'),
  unit_price_after_cents: cents('Recurring price of one unit and month from then on, rounded to a cent of the currency'),
  valid_from: instant('Start of the state after this row'),
  valid_to: instant('End of the state after this row; null if it was still valid at the end of the requested range'),
  admin_url: text(
    'Page of the invoice or else of the customer in the billing system; null if the connector has no address for it',
  ),
  usage_note: text(
    'The usage part in words, with the months from which it is derived; null if the row counts none, and in files',
  ),
  evidence: z
    .array(EVIDENCE)
    .optional()
    .describe('Rows of the billing database that made this row; absent in files and if the connector finds none'),
})

export type CountedRow = z.output<typeof COUNTED_ROW>

/** The instants of the states of a row, and the usage part of MRR in them. */
export interface RowStates {
  /** The state before is that just before this instant. */
  readonly before_at: string | null
  readonly after_at: string | null
  readonly usage_before: number | null
  readonly usage_after: number | null
}

/** A row as it is read, with the states whose usage part it counts. */
export interface FoundRow extends CountedRow {
  readonly states: RowStates
}

/** A row that two definition sets count differently. If the set after the step does not count it, its other fields are those before. */
export interface ChangedRow extends FoundRow {
  readonly before: number
  readonly after: number
  readonly difference: number
}

/** Schema of a row that a step of a bridge changes. Its figures are amounts, unless the number is a count. */
export function changedRow(kind: 'cents' | 'count') {
  const figure = (description: string) => {
    const column = z.number().int().describe(description)
    return kind === 'cents' ? amount(column) : column
  }
  return COUNTED_ROW.extend({
    before: figure('With `bridge_step`: what the row adds to the figure before the step'),
    after: figure('With `bridge_step`: what it adds after the step'),
    difference: figure('With `bridge_step`: after less before'),
  })
}

/** A row of the statement in the form of the answer. */
export function countedRow(row: Row, kind: 'cents' | 'count', unit: 'base' | 'original', base: string): CountedRow {
  const found = (column: string) => (column in row ? textCell(row, column) : null)
  const number = (column: string) => (column in row ? integerOrNull(row, column) : null)
  const at = (column: string) => (column in row ? instantCell(row, column) : null)
  const own = number('amount') ?? 0
  const currency = found('currency')
  const plan = found('plan_after') ?? found('plan_before') ?? found('plan')
  const isForeign = currency !== null && currency !== base
  return {
    customer_id: textCell(row, 'customer_id') ?? '',
    customer_name: found('customer_name'),
    subscription_id: found('subscription_id'),
    plan_id: plan,
    movement_type: found('movement_type'),
    movement_source: found('movement_source'),
    occurred_at: at('occurred_at'),
    reason: found('reason'),
    churn_type: found('churn_type'),
    cancel_reason: found('cancel_reason'),
    document_id: found('document_id'),
    currency,
    amount_cents: kind === 'count' ? null : unit === 'original' ? own : number('amount_cents'),
    amount_base_cents: kind === 'count' || unit === 'original' ? null : own,
    rate_part_base_cents: kind === 'count' || unit === 'original' ? null : number('rate_base_cents'),
    count: kind === 'count' ? own : 1,
    rate: isForeign ? rateText(found('rate')) : null,
    rate_day: isForeign ? (found('fixed_on')?.slice(0, 10) ?? null) : null,
    plan_before: found('plan_before'),
    plan_after: found('plan_after'),
    status_before: found('status_before'),
    status_after: found('status_after'),
    quantity_before: number('quantity_before'),
    quantity_after: number('quantity_after'),
    mrr_before_cents: number('mrr_before_cents'),
    mrr_after_cents: number('mrr_after_cents'),
    usage_mrr_before_cents: number('usage_before_cents'),
    usage_mrr_after_cents: number('usage_after_cents'),
    unit_price_before_cents: unitPrice(number('recurring_before_cents'), number('quantity_before')),
    unit_price_after_cents: unitPrice(number('recurring_after_cents'), number('quantity_after')),
    valid_from: at('valid_from'),
    valid_to: at('valid_to'),
    admin_url: null,
    usage_note: null,
  }
}

// Databases write a decimal with or without zeros at its end.
function rateText(rate: string | null): string | null {
  return rate?.includes('.') === true ? rate.replace(/\.?0+$/, '') : rate
}

function unitPrice(cents: number | null, quantity: number | null): number | null {
  return cents === null || quantity === null || quantity === 0 ? null : Math.round(cents / quantity)
}
