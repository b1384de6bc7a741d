import { textCell } from '../../ports/cells.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import type { RelationContract } from '../../relations/define-relation.ts'
import type { MetricContext, MetricResult } from '../define-metric.ts'
import { FIGURE_NAMES, type FigureName, type Figures, SUMMARY_COLUMNS } from './answers.ts'
import { figuresOf, partSums } from './figures.ts'
import { readMargins } from './margins.ts'
import { readFigures } from './read.ts'
import { daysOf, type SummaryWindows, windowsOf } from './windows.ts'

const REVENUE = ['mrr_span', 'customer']
const TRIALS = ['trial', 'customer']

/** The base relations that some figure needs; a figure without them is null. */
export const FIGURE_READS: readonly string[] = [...new Set([...REVENUE, ...TRIALS])]

/** The headline figures from one statement in one snapshot, under compare a list of them (http-api.md 3.1). */
export async function answerHeadline(context: MetricContext): Promise<MetricResult> {
  const { compared, time } = context.request
  const windows = windowsOf(time, context.now)
  const unsupported = FIGURE_NAMES.filter((name) => !readsOf(name).every((read) => context.isSupplied(read)))
  const rows = await readFigures(context, windows, absentRelations(unsupported))
  if (unsupported.length > 0) {
    const message = `The connector cannot supply: ${unsupported.join(', ')}.`
    context.warn({ code: 'partial', message, count: unsupported.length })
  }
  const margins = await readMargins(context, windows.trailing)
  const write = (own: typeof rows) => ({
    ...figuresOf(partSums(own), windows, context.now),
    ...nulls(unsupported),
    ...margins,
    ...stated(windows, context),
    unsupported,
  })
  if (compared.length === 0) return { kind: 'object', columns: SUMMARY_COLUMNS, value: write(rows) }
  const answers = compared.map((segment_id) => ({
    segment_id,
    ...write(rows.filter((row) => textCell(row, 'segment_id') === segment_id)),
  }))
  return {
    kind: 'rows',
    columns: ['segment_id', ...SUMMARY_COLUMNS],
    rows: answers,
  }
}

function stated({ as_of, rate, trailing }: SummaryWindows, { data_through, definitions }: MetricContext) {
  return {
    as_of: as_of.day,
    rate_window: daysOf(rate),
    trailing_window: daysOf(trailing),
    data_through,
    base_currency: definitions.base_currency,
  }
}

function readsOf(figure: FigureName): readonly string[] {
  return figure === 'trial_conversion_rate' ? TRIALS : REVENUE
}

function nulls(names: readonly FigureName[]): Partial<Figures> {
  return Object.fromEntries(names.map((name) => [name, null]))
}

function absentRelations(unsupported: readonly FigureName[]): readonly RelationContract[] {
  const names = [
    ...(unsupported.includes('trial_conversion_rate') ? ['trial'] : []),
    ...(unsupported.includes('mrr') ? ['start_cohort', 'customer_activity'] : []),
  ]
  return RELATION_CONTRACTS.filter(({ name }) => names.includes(name))
}
