import { type Fragment, sql } from '../../compiler/fragment.ts'
import { ratio } from '../../core/money.ts'
import { inSlices } from '../../core/slices.ts'
import { integerCell, integerOrNull } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import type { RowsByMeasure } from '../define-query.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { amountsOf, type CountRows, EACH, inGroups, SUM } from '../readings/counted.ts'
import { bucketed } from '../readings/fact.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { addCents, type PeriodGroup, tallyGroups } from '../readings/groups.ts'
import { medianOf } from '../readings/median.ts'
import { bucketStep, ratioPeriods } from '../readings/periods.ts'
import { booksScope, booksWindow, entryParams, optionsOf } from './options.ts'

interface Tally {
  invoices_attempted: number
  first_attempt_failed: number
  first_attempt_failed_amount: number
  recovered: number
  attempts: number
  failed_attempts: number
  never_attempted: number
  /** Recovered invoices by the days from the failure to the payment. */
  readonly days: Map<number, number>
}

/** The attempts to collect invoices, by the period of the first attempt (R27). */
export async function readCollections(context: MetricContext): Promise<readonly PeriodGroup<ReturnType<typeof measuresOf>>[]> {
  const { dimensions, unit } = context.request
  const periods = ratioPeriods(rangeTime(context.request))
  if (periods.length === 0) return []
  const rows = await context.run(collectionRun(context))
  await refuseRowGaps(context, rows, booksWindow(context))
  const periodOf = bucketed(context)
  const tally = tallyGroups<Tally>(periods.length, noAttempts, context)
  for await (const row of inSlices(rows)) {
    const found = tally.of(
      dimensions.map((field) => dimensionValue(row, field)),
      periodOf(row),
    )
    if (found === undefined) continue
    found.invoices_attempted += integerCell(row, 'attempted_count')
    found.first_attempt_failed += integerCell(row, 'refused_count')
    found.first_attempt_failed_amount = addCents(
      found.first_attempt_failed_amount,
      row,
      unit === 'base' ? 'amount_base_sum' : 'amount_sum',
    )
    found.recovered += integerCell(row, 'recovered_count')
    found.attempts += integerCell(row, 'attempt_count')
    found.failed_attempts += integerCell(row, 'failed_count')
    found.never_attempted += integerCell(row, 'untried_count')
    const days = integerOrNull(row, 'recovery_days')
    if (days !== null) found.days.set(days, (found.days.get(days) ?? 0) + integerCell(row, 'recovered_count'))
  }
  return tally.groups().map(({ values, periods: found }) => ({ values, measures: found.map(measuresOf) }))
}

function noAttempts(): Tally {
  return {
    invoices_attempted: 0,
    first_attempt_failed: 0,
    first_attempt_failed_amount: 0,
    recovered: 0,
    attempts: 0,
    failed_attempts: 0,
    never_attempted: 0,
    days: new Map(),
  }
}

function measuresOf({ days, ...counts }: Tally) {
  return {
    ...counts,
    recovery_rate: ratio(counts.recovered, counts.first_attempt_failed),
    median_days_to_recover: medianOf(days),
  }
}

function collectionRun(context: MetricContext): TemplateRun {
  const { start, end, interval } = rangeTime(context.request)
  return {
    template: 'ledger/collections',
    slots: booksScope(context).slots,
    params: {
      ...entryParams(context),
      recovery_window: optionsOf(context).recovery_window,
      from_on: start,
      to_on: end,
      step: bucketStep(interval),
    },
    window: booksWindow(context),
  }
}

/** Attempts that meet a condition, or invoices by their first attempt. A row is an invoice, with the instant of the attempt. */
function counted(where: Fragment, kind: 'count' | 'cents' = 'count'): CountRows {
  return (cell) => ({
    kind,
    parts: [
      {
        run: collectionRun(cell),
        fact: {
          customer_key: sql`fact.customer_key`,
          currency: sql`fact.currency`,
          document_id: sql`fact.invoice_id`,
          occurred_at: sql`fact.attempted_at`,
        },
        measure: kind === 'count' ? { amount: sql`1` } : { ...amountsOf(cell), fixed_on: sql`attempted_on` },
        where: [...inGroups(cell), where],
      },
    ],
    // Several attempts of one instant are one row.
    total: kind === 'count' ? EACH : SUM,
  })
}

/** The rows behind collections. */
export const COLLECTION_ROWS: RowsByMeasure = {
  invoices_attempted: counted(sql`is_first = 1`),
  first_attempt_failed: counted(sql`is_refused = 1`),
  first_attempt_failed_amount: counted(sql`is_refused = 1`, 'cents'),
  recovered: counted(sql`recovery_days is not null`),
  attempts: counted(sql`is_untried = 0`),
  failed_attempts: counted(sql`is_failed = 1`),
  never_attempted: counted(sql`is_untried = 1`),
}
