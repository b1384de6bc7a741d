import { cents, FLOW } from '../columns.ts'
import { defineFigure } from '../define-query.ts'
import { BRIDGE_INPUTS } from './fields.ts'
import { readMrrBridge } from './mrr-bridge.ts'
import { MRR_BRIDGE_ROWS } from './mrr-bridge-rows.ts'

const step = (description: string, label?: string) => cents(description, { good: 'neither', ...(label && { label }) })

/** The bridge from MRR to recognized revenue (D97). Its measures are in the order of its steps. */
export const MRR_BRIDGE = defineFigure({
  shows: 'totals',
  words: ['mrr_to_revenue', 'revenue_bridge'],
  summary: 'From MRR at the end of a month to the recognized revenue of the month, step by step',
  inputs: BRIDGE_INPUTS,
  reads: ['mrr_span', 'billed_stretch'],
  measures: {
    mrr: cents('MRR at the end of the month'),
    usage_component: step('Usage component of MRR, negative'),
    movements: step('Mean of the agreed amount over the days of the month, less that amount at its end'),
    billed_otherwise: step('Mean of the billed amount over the days of the month, less that of the agreed one'),
    length_of_months: step(
      'Recurring revenue for service days of the month, at the rates of MRR, less the mean of the billed amount',
    ),
    catch_up: cents('Recurring revenue for service days before the month', { ...FLOW, good: 'neither' }),
    usage: step('Recognized usage'),
    fixed_and_one_off: step('Recognized fixed prices and one-off charges', 'Fixed and one-off'),
    rates: step('Recurring revenue for service days of the month, at the rates of its postings less that at the rates of MRR'),
    other_income: cents('Recognized amounts of the kinds of charges that `revenue_kinds` does not name, negative', {
      ...FLOW,
      good: 'neither',
    }),
    recognized: cents('Recognized revenue of the month: all steps together', FLOW),
  },
  rows: MRR_BRIDGE_ROWS,
  read: readMrrBridge,
})
