import type { Row } from '../api/use-answer.ts'
import { formatPeriod, isRunning, type Step } from '../format/days.ts'
import { unitOf } from '../format/units.ts'
import { isMixed, pivot } from './pivot.ts'
import type { ChartSpec } from './spec.ts'

interface Series {
  readonly name: string
  readonly measure: string
  readonly groups: readonly string[]
  readonly kind: ChartSpec['kind']
  readonly step: Step
}

/** The chart of a figure period by period; undefined where there is no period. */
export function seriesSpec(
  rows: readonly Row[],
  { name, measure, groups, kind, step }: Series,
  { currency, dataThrough }: { readonly currency: string; readonly dataThrough: string | undefined },
): ChartSpec | undefined {
  const unit = unitOf(measure)
  const { periods, series, undrawn } = pivot({ rows, measure, unit, groups, name })
  const last = periods.at(-1)
  if (last === undefined) return undefined
  return {
    kind: isMixed(groups) ? 'line' : kind,
    labels: periods.map((period) => formatPeriod(period, step)),
    series,
    undrawn,
    unit,
    currency,
    isLastRunning: isRunning(last, step, dataThrough),
  }
}
