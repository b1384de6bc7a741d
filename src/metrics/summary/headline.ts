import { sql } from '../../compiler/fragment.ts'
import type { Period } from '../../core/periods.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { emptyRelation, type RelationContract } from '../../relations/define-relation.ts'
import type { MetricContext, MetricResult } from '../readings/context.ts'
import { factOf, windowOf } from '../readings/facts.ts'
import { fullMonths } from '../readings/fraction.ts'
import { listUnpriced, refuseGaps, unratedIn } from '../readings/gaps.ts'
import { periodRelation } from '../readings/periods.ts'
import { FIGURE_NAMES, type FigureName, FORECAST_NAMES, summaryColumns } from './answers.ts'
import { daysOf, figuresOf, partSums, revenuePeriods, type SummaryWindows, wholeOf, windowsOf } from './figures.ts'
import { forecastOf, readForecast } from './forecast.ts'
import { readMargins } from './margins.ts'

const REVENUE = ['mrr_span', 'customer']
const TRIALS = ['trial', 'customer']

/** Base relations of the figures. A figure is null if its relations are missing. */
export const FIGURE_READS: readonly string[] = [...new Set([...REVENUE, ...TRIALS])]

/** The headline figures from one statement in one snapshot; a list if segments are compared (http-api.md 3.1). */
export async function answerHeadline(context: MetricContext): Promise<MetricResult> {
  const { compared, is_forecast, time } = context.request
  const windows = windowsOf(time, context.now)
  const unsupported = FIGURE_NAMES.filter((name) => !readsOf(name).every((read) => context.isSupplied(read)))
  const rows = await readFigures(context, windows, absentRelations(unsupported))
  if (unsupported.length > 0) {
    const message = `The connector cannot supply: ${unsupported.join(', ')}.`
    context.warn({ code: 'partial', message, count: unsupported.length })
  }
  const margins = await readMargins(context, windows.trailing)
  const hasForecast = is_forecast && !unsupported.includes('mrr')
  const ahead = hasForecast ? await readForecast(context, windows.as_of) : []
  const forecastFigures = (isOwn: (row: Row) => boolean) =>
    hasForecast ? forecastOf(ahead.filter(isOwn)) : is_forecast ? nulls(FORECAST_NAMES) : {}
  const write = (isOwn: (row: Row) => boolean) => ({
    ...figuresOf(partSums(rows.filter(isOwn)), windows, context.now),
    ...nulls(unsupported),
    ...margins,
    ...forecastFigures(isOwn),
    ...stated(windows, context),
    unsupported,
  })
  const columns = summaryColumns(is_forecast)
  if (compared.length === 0) return { kind: 'object', columns, value: write(() => true) }
  const answers = compared.map((segment_id) => ({
    segment_id,
    ...write((row) => textCell(row, 'segment_id') === segment_id),
  }))
  return {
    kind: 'rows',
    columns: ['segment_id', ...columns],
    rows: answers,
  }
}

function stated({ as_of, year, month, rate, trailing }: SummaryWindows, { data_through, definitions }: MetricContext) {
  return {
    as_of: as_of.day,
    year_window: daysOf(year),
    month_window: daysOf(month),
    rate_window: daysOf(rate),
    trailing_window: daysOf(trailing),
    data_through,
    base_currency: definitions.base_currency,
  }
}

function readsOf(figure: FigureName): readonly string[] {
  return figure === 'trial_conversion_rate' ? TRIALS : REVENUE
}

function nulls(names: readonly string[]): Readonly<Record<string, null>> {
  return Object.fromEntries(names.map((name) => [name, null]))
}

function absentRelations(unsupported: readonly FigureName[]): readonly RelationContract[] {
  const names = [
    ...(unsupported.includes('trial_conversion_rate') ? ['trial'] : []),
    ...(unsupported.includes('mrr') ? ['start_cohort', 'customer_activity'] : []),
  ]
  return RELATION_CONTRACTS.filter(({ name }) => names.includes(name))
}

/** The rows of sql/metrics/summary/figures.sql, from one statement. `absent` relations count as empty. */
async function readFigures(
  context: MetricContext,
  windows: SummaryWindows,
  absent: readonly RelationContract[],
): Promise<readonly Row[]> {
  const { rate, trailing } = windows
  const revenue = revenuePeriods(windows)
  const months = fullMonths(trailing, context.now)
  const activity = [wholeOf(rate), ...(months.length > 0 ? months : [wholeOf(trailing)])]
  const span = spanOf([...revenue, ...activity])
  const fact = factOf(context, {
    fact: 'level',
    instant: sql`null`,
    isBefore: sql`1 = 1`,
  })
  const scope = compileScope(context.request.dimensions, context.request.conditions, fact)
  const rows = await context.run({
    template: 'summary/figures',
    slots: scope.slots,
    params: {
      unit: 'base',
      all_customers: true,
      trials_from: trailing.from,
      trials_to: trailing.to,
      counts_returned: context.definitions.nrr_reactivation === 'include',
    },
    // The outcome of a trial counts up to now, even if it comes after the range (D58).
    window: windowOf(scope, {
      from: span.from,
      to: pointAt(context.now.toISOString().slice(0, 10), context.now).before,
    }),
    inline: [periodRelation(revenue), { ...periodRelation(activity), name: 'churn_period' }],
    built: new Map(absent.map((contract) => [contract.name, emptyRelation(contract)])),
  })
  // A span can count in several periods, so the counts cannot be added. The largest count of a period is reported.
  const unpriced = Math.max(0, ...[...unpricedByPeriod(rows).values()])
  await refuseGaps(context, { unpriced, unrated: unratedIn(rows) }, () => listUnpriced(context, span))
  return rows
}

function spanOf(periods: readonly Period[]): {
  readonly from: Date
  readonly to: Date
} {
  const instants = periods.flatMap(({ from, to }) => [from.getTime(), to.getTime()])
  return {
    from: new Date(Math.min(...instants)),
    to: new Date(Math.max(...instants)),
  }
}

function unpricedByPeriod(rows: readonly Row[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const row of rows) {
    const index = integerCell(row, 'period_index')
    counts.set(index, (counts.get(index) ?? 0) + integerCell(row, 'unpriced_count'))
  }
  return counts
}
