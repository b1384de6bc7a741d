import type { Unit } from '../../core/column-unit.ts'

/** A colour of the style sheet, by the name of its property without `--`: the same in both themes' terms. */
export type Colour =
  | `movement-${'new' | 'expansion' | 'reactivation' | 'contraction' | 'churn' | 'other'}`
  | `series-${number}`
  | 'total'

export interface ChartSeries {
  readonly name: string
  readonly colour: Colour
  readonly values: readonly (number | null)[]
  /** Of a chart of bars: drawn as a line over them. */
  readonly isLine?: boolean
}

/** What a chart draws: values of several series at the same places. */
export interface ChartSpec {
  /** Areas and bars are stacked; a step of a waterfall begins where the one before it ended. */
  readonly kind: 'line' | 'area' | 'bars' | 'waterfall'
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly unit: Unit
  readonly currency: string
  /** Whether the last place is a period that has not ended: drawn lighter and dashed. */
  readonly isLastRunning: boolean
  /** Groups that only the table has. */
  readonly undrawn?: number
  /** Of a waterfall: places that stand on the ground. */
  readonly totals?: readonly number[]
  /** Called with the place that was clicked and the name of the series there, where there is one. */
  readonly onPick?: ((place: number, series: string | undefined) => void) | undefined
}

/** The chart in one sentence, for those who cannot see it. */
export function summaryOf(spec: ChartSpec, format: (value: number) => string): string {
  const { labels, series } = spec
  const sentences = series.slice(0, MOST_DESCRIBED).map(({ name, values }) => {
    const known = values.flatMap((value, place) => (value === null ? [] : [{ value, label: labels[place] ?? '' }]))
    const first = known[0]
    const last = known.at(-1)
    if (first === undefined || last === undefined) return `${name}: no values`
    if (known.length <= FEW) return `${name}: ${known.map(({ value, label }) => `${format(value)} in ${label}`).join(', ')}`
    return `${name}: ${format(first.value)} in ${first.label} to ${format(last.value)} in ${last.label}`
  })
  const more = series.length > MOST_DESCRIBED ? `; and ${series.length - MOST_DESCRIBED} more` : ''
  return `${sentences.join('; ')}${more}.`
}

const MOST_DESCRIBED = 10

/** So many values are told one by one, and stand beside their places where there is one series. */
export const FEW = 6
