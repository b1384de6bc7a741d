import { inSlices } from '../../core/slices.ts'
import { dayCell, textCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import type { LEDGER_TERMS } from '../../relations/books.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, type TalliedGroup, tallyGroups } from '../readings/groups.ts'
import { OPENING_BUCKET } from '../readings/periods.ts'
import type { BookPeriod } from './days.ts'
import { booksScope, booksWindow, entryParams } from './options.ts'

/** Postings by term. Each is what it adds to the balance of invoices (J5). */
export type Flows = Record<(typeof LEDGER_TERMS)[number], number>

/** No postings. */
export function noFlows(): Flows {
  return {
    charge: 0,
    adjustment: 0,
    tax: 0,
    credit_granted: 0,
    credit_issued: 0,
    credit_applied: 0,
    transfer: 0,
    suspense: 0,
    payment: 0,
    refund: 0,
    chargeback: 0,
    write_off: 0,
  }
}

/** Postings by term and group: those before the first period, then those of each period. */
export async function readFlows(
  context: MetricContext,
  periods: readonly BookPeriod[],
): Promise<{ readonly groups: readonly TalliedGroup<Flows>[] }> {
  const { dimensions, unit } = context.request
  const rows = await context.run(flowRun(context, periods))
  await refuseRowGaps(context, rows, booksWindow(context))
  const tally = tallyGroups<Flows>(periods.length + 1, noFlows, context)
  for await (const row of inSlices(rows)) {
    const flows = tally.of(
      dimensions.map((field) => dimensionValue(row, field)),
      placeOf(dayCell(row, 'bucket'), periods),
    )
    const term = textCell(row, 'term') as keyof Flows
    if (flows !== undefined) flows[term] = addCents(flows[term], row, unit === 'base' ? 'amount_base_sum' : 'amount_sum')
  }
  return { groups: tally.groups() }
}

/** The statement of the postings up to the end of the periods, by `step`. */
export function flowRun(context: MetricContext, periods: readonly BookPeriod[], step = stepOf(periods)): TemplateRun {
  return {
    template: 'ledger/entries',
    slots: booksScope(context).slots,
    params: {
      ...entryParams(context),
      from_on: periods[0]?.first ?? OPENING_BUCKET,
      to_on: periods.at(-1)?.last ?? OPENING_BUCKET,
      step,
    },
    window: booksWindow(context),
  }
}

// By month if each period has whole months, else by day.
function stepOf(periods: readonly BookPeriod[]): 'none' | 'month' | 'day' {
  if (periods.length === 1) return 'none'
  return periods.slice(1).every(({ first }) => first.endsWith('-01')) ? 'month' : 'day'
}

/** Place of the period of a bucket, from 1 on; 0 for the days before. The bucket of a month that the range clips begins before the range. */
export function placeOf(bucket: string, periods: readonly BookPeriod[]): number {
  if (bucket === OPENING_BUCKET) return 0
  let [low, high] = [0, periods.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((periods[middle]?.first ?? '') <= bucket) low = middle
    else high = middle - 1
  }
  return low + 1
}
