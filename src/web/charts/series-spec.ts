import type { Row } from '../api/use-answer.ts'
import { formatPeriod, isRunning, type Step } from '../format/days.ts'
import { unitOf } from '../format/units.ts'
import { groupLabel, isMixed, pivot } from './pivot.ts'
import type { ChartSpec } from './spec.ts'

interface Series {
  readonly name: string
  readonly measure: string
  readonly groups: readonly string[]
  readonly kind: ChartSpec['kind']
  readonly step: Step
  /** Called with the period that was clicked and, where it was that of one group, its row. */
  readonly onPick?: ((period: string, row: Row | undefined) => void) | undefined
}

/** The chart of a figure period by period; undefined where no period has a value. */
export function seriesSpec(
  rows: readonly Row[],
  { name, measure, groups, kind, step, onPick }: Series,
  { currency, dataThrough }: { readonly currency: string; readonly dataThrough: string | undefined },
): ChartSpec | undefined {
  const unit = unitOf(measure)
  const { periods, series, undrawn } = pivot({ rows, measure, unit, groups, name })
  const last = periods.at(-1)
  if (last === undefined || series.every(({ values }) => values.every((value) => value === null))) return undefined
  return {
    kind: isMixed(groups) ? 'line' : kind,
    labels: periods.map((period) => formatPeriod(period, step)),
    series,
    undrawn,
    unit,
    currency,
    isLastRunning: isRunning(last, step, dataThrough),
    onPick:
      onPick === undefined
        ? undefined
        : (place, series) => {
            const period = periods[place] ?? last
            const isThere = (row: Row) => row['period'] === period && groupLabel(row, groups) === series
            onPick(period, groups.length === 0 ? undefined : rows.find(isThere))
          },
  }
}
