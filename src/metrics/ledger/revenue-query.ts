import { cents, FLOW } from '../columns.ts'
import { defineFigure } from '../define-query.ts'
import { REVENUE_ROWS, recognized as recognizedRows } from './counted.ts'
import { CHARGE_INPUTS } from './fields.ts'
import { readCorrections, readRecognized, readRevenue } from './revenue.ts'

const flow = (description: string) => cents(description, { ...FLOW, good: 'neither' })
const level = (description: string) => cents(description, { good: 'neither' })

/** The roll-forward of deferred revenue (R10, R12). */
export const REVENUE = defineFigure({
  shows: 'totals',
  summary: 'Billings, recognized revenue and deferred revenue of each period',
  inputs: CHARGE_INPUTS,
  measures: {
    opening_deferred: level('Deferred revenue before the period'),
    billed: flow('Charges posted in the period, less those that left by a void'),
    adjusted: flow('Adjustments posted in the period, less those that left by a void'),
    recognized: cents('Recognized revenue', FLOW),
    catch_up: flow('Part of recognized revenue for service days before the period'),
    late: flow(
      'Part of catch_up that the month before did not know when `ledger.close_days` closed it; 0 without that setting or with `known_at`',
    ),
    other_income: flow('Recognized amounts of the kinds of charges that `revenue_kinds` does not name; 0 if all are revenue'),
    opening_unbilled: level('Recognized and not yet billed before the period'),
    closing_unbilled: level('Recognized and not yet billed at the end of the period'),
    closing_deferred: level('Deferred revenue at the end of the period'),
  },
  rows: REVENUE_ROWS,
  read: readRevenue,
})

/** Recognized revenue as one number, which a bridge between definition sets takes (D70). */
export const RECOGNIZED = defineFigure({
  shows: 'totals',
  summary: 'Recognized revenue of a range',
  inputs: { ...CHARGE_INPUTS, step: 'granularity' },
  measures: { recognized: cents('Recognized revenue', FLOW) },
  plain: 'recognized',
  rows: { recognized: recognizedRows('revenue') },
  read: readRecognized,
})

/** Changes since months were closed (R22). */
export const CORRECTIONS = defineFigure({
  shows: 'totals',
  summary: 'Recognized revenue of each period as it was known on a day, and as it is known now',
  inputs: CHARGE_INPUTS,
  measures: {
    recognized_then: flow('Recognized revenue as it was known on the day'),
    recognized_now: cents('Recognized revenue as it is known now', FLOW),
    difference: flow('Now less then'),
  },
  read: readCorrections,
})
