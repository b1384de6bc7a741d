import { empty } from '../../compiler/fragment.ts'
import { integerCell, textCell, textOf } from '../../ports/cells.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { dayRelation } from './days.ts'
import { balanceParams, booksWindow, chargeParams, NEVER } from './options.ts'

/** A record of the books that breaks a rule, or the number of those that do not. */
export interface JudgedRecord {
  /** `none` for those that break no rule. */
  readonly fault: string
  /** Null: those that break no rule. */
  readonly id: string | null
  /** Null for a charge, which has no leeway. */
  readonly currency: string | null
  readonly count: number
  readonly expected: number
  readonly actual: number
}

const NO_SLOTS = { dimensions: empty, dimension_names: empty, joins: empty, filters: empty, group_by: empty }

/** Charges of the books at the end of a day, with those that break a rule by themselves (J3, J11). */
function charges(context: MetricContext, day: string): TemplateRun {
  return {
    template: 'ledger/verify_charges',
    slots: NO_SLOTS,
    params: { ...chargeParams(context), day },
    inline: [dayRelation([{ day, before: null }])],
    window: booksWindow(context),
  }
}

/** Invoices with their balance in the list of invoices and in the books, with all that is known now (J16). */
function invoices(context: MetricContext): TemplateRun {
  return {
    template: 'ledger/verify_invoices',
    slots: NO_SLOTS,
    params: balanceParams(context, context.now),
    inline: [dayRelation([{ day: NEVER, before: null }])],
    window: booksWindow(context),
  }
}

/** The charges of the books at the end of a day, or the invoices as of now, that break a rule, and all others together. */
export async function judgedRecords(
  context: MetricContext,
  kind: 'charges' | 'invoices',
  day: string,
): Promise<readonly JudgedRecord[]> {
  const rows = await context.run(kind === 'charges' ? charges(context, day) : invoices(context))
  return rows.map((row) => ({
    fault: textOf(row, 'fault'),
    id: textCell(row, 'fault_id'),
    currency: kind === 'charges' ? null : textCell(row, 'currency'),
    count: integerCell(row, 'compared_count'),
    expected: integerCell(row, 'expected_sum'),
    actual: integerCell(row, 'actual_sum'),
  }))
}
