import type { Unit } from '../../core/column.ts'

/** A CSS custom property without `--`. Each theme defines it. */
export type Colour =
  | `movement-${'new' | 'expansion' | 'reactivation' | 'contraction' | 'churn' | 'other'}`
  | `series-${number}`
  | 'total'

export interface ChartSeries {
  readonly name: string
  /** The raw values behind the name if they differ from it. The legend shows them on hover. */
  readonly raw?: string | undefined
  readonly colour: Colour
  readonly values: readonly (number | null)[]
  /** In a bar chart: draw this series as a line. */
  readonly isLine?: boolean
  /** A thin line in the background. The legend counts such series, and the tooltip leaves them out. */
  readonly isFaint?: boolean
}

/** A note at a place of a chart. Its number is the mark. `text` begins with its day. */
export interface NumberedNote {
  readonly number: number
  readonly place: number
  readonly id: string
  readonly text: string
}

/** The content of a chart: series with a value for each label. */
export interface ChartSpec {
  /** Areas and bars are stacked. Each step of a waterfall starts where the step before it ends. */
  readonly kind: 'line' | 'area' | 'bars' | 'waterfall'
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly unit: Unit
  readonly currency: string
  /** The place of the first period that is not over. From there on the chart is lighter and dashed. Absent: all are over. */
  readonly openFrom?: number
  /** Whether the periods that are not over are a forecast. */
  readonly isForecast?: boolean
  /** Whether values hold until the next one, as a customer's MRR does. Lines and areas then have steps. */
  readonly isStep?: boolean
  /** A value that a line marks, such as 100 %. It is always on the axis. */
  readonly reference?: number
  /** Thin dotted lines of the period to compare with, place by place. */
  readonly ghosts?: readonly ChartSeries[]
  /** Names of the periods of the ghosts, place by place. */
  readonly ghostLabels?: readonly string[]
  /** First and last day of each place, if the places are periods. */
  readonly days?: readonly { readonly start: string; readonly end: string }[]
  /** Notes on these days. */
  readonly notes?: readonly NumberedNote[]
  /** The goals as a stepped dashed line, place by place. */
  readonly goal?: Pick<ChartSeries, 'name' | 'values'> | undefined
  /** A remark below the chart. */
  readonly note?: string
  /** Number of groups that are in the table but not in the chart. */
  readonly undrawn?: number
  /** In a waterfall: indices of bars that start at zero. */
  readonly totals?: readonly number[]
  /** Called with the index of the clicked place, and with the name of the series if a series was clicked. */
  readonly onPick?: ((place: number, series: string | undefined) => void) | undefined
}

/** The chart in one sentence, for screen readers. */
export function summaryOf(spec: ChartSpec, format: (value: number) => string): string {
  const { labels, series: own, ghosts = [], goal } = spec
  const series = [...own, ...ghosts, ...(goal === undefined ? [] : [goal])]
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

/** Most values that the summary lists one by one. A chart with one series also labels up to this number of values. */
export const FEW = 6
