import type { Question } from '../api/query.ts'
import type { ChartSeries, ChartSpec } from '../charts/spec.ts'
import type { CompareTo } from '../controls/search.ts'
import { formatPeriod, formatPeriodOf, periodStart, type Step } from '../format/days.ts'
import { labelOf } from '../format/labels.ts'

type Row = Readonly<Record<string, unknown>>

const BEFORE = 'previous_'
const CHANGE = 'change_'
const METRICS = '/api/metrics/'
/** Each row of these answers belongs to its own time (http-api.md 1.9). */
const OF_OWN_TIME: readonly string[] = [
  '/api/metrics/churn/customers',
  '/api/metrics/ltv/cohort',
  '/api/metrics/mrr/why',
  '/api/metrics/summary',
]

/** Why an answer has no other period to compare with; empty if it never had days, undefined if it can be compared. */
export function whyNotCompared({ path, query }: Question): string | undefined {
  if (!path.startsWith(METRICS)) return ''
  const isMatrix = path === '/api/metrics/retention' && query['query_type'] === undefined
  if (isMatrix || OF_OWN_TIME.includes(path)) return 'Not compared: each row belongs to its own time.'
  if (query['compare_segments'] !== undefined) return 'Not compared with another period: segments are compared already.'
  return query['range'] === 'all' ? 'Not compared: no period comes before all time.' : undefined
}

const NAMES: Readonly<Record<CompareTo, string>> = { previous: 'Previous period', year: 'Year before' }

/** The other period, as the chart draws it. */
interface Comparison {
  readonly compareTo: CompareTo
  /** The days that the API compared with: `<first>/<last>`, or a single day. */
  readonly days: string
  readonly step: Step | undefined
}

/** The rows of the other period, in the place of the rows that they are compared with. */
export function rowsBefore(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([key]) => !isOfBefore(key))
        .map(([key, value]) => [key, BEFORE + key in row ? row[BEFORE + key] : value]),
    ),
  )
}

/** Adds the other period and the change to rows that were made of several rows of the answer. */
export function withBefore(rows: readonly Row[], before: readonly Row[]): readonly Row[] {
  if (rows.length !== before.length || rows.some((row) => Object.keys(row).some(isOfBefore))) return rows
  return rows.map((row, place) => {
    const other = before[place] ?? {}
    const added = Object.entries(row).flatMap(([key, value]) => {
      const earlier = other[key]
      if (typeof value !== 'number' || typeof earlier !== 'number') return []
      return [
        [BEFORE + key, earlier],
        [CHANGE + key, value - earlier],
      ]
    })
    return { ...row, ...Object.fromEntries(added) }
  })
}

interface ComparedColumn {
  readonly key: string
  readonly label?: string
  readonly isNumber?: boolean
}

/** Adds the columns of the other period and of the change after each number. */
export function comparedColumns<Column extends ComparedColumn>(
  columns: readonly Column[],
  rows: readonly Row[],
): readonly (Column | ComparedColumn)[] {
  const [first = {}] = rows
  const own = columns.filter(({ key }) => !isOfBefore(key))
  return own.flatMap((column) => {
    const { key, label = labelOf(key) } = column
    if (!(BEFORE + key in first)) return [column]
    const before = { key: BEFORE + key, label: `${label} before`, isNumber: true }
    return [column, before, { key: CHANGE + key, label: `${label} change`, isNumber: true }]
  })
}

function isOfBefore(key: string): boolean {
  return key.startsWith(BEFORE) || key.startsWith(CHANGE)
}

/** Most lines that each get a line of the other period. More lines would hide each other. */
const MOST_LINES = 4

/** A chart with thin dotted lines for the other period. A chart with too many series says that the table has the comparison. */
export function withGhosts(spec: ChartSpec, before: ChartSpec | undefined, { compareTo, days, step }: Comparison): ChartSpec {
  const name = `${NAMES[compareTo]}: ${formatPeriodOf(days)}`
  const drawn = before === undefined ? [] : ghostsOf(spec, before)
  if (drawn.length === 0) return { ...spec, note: 'The table has the comparison.' }
  const ghosts = drawn.map((one) => ({ ...one, name: drawn.length === 1 ? name : `${one.name}, ${name.toLowerCase()}` }))
  const [start = ''] = days.split('/')
  const labels =
    step === undefined ? undefined : spec.labels.map((_, place) => formatPeriod(periodStart(start, step, place), step))
  return { ...spec, ghosts, ...(labels === undefined ? {} : { ghostLabels: labels }) }
}

function ghostsOf({ kind, series }: ChartSpec, before: ChartSpec): readonly ChartSeries[] {
  if (kind === 'waterfall') return []
  const line = before.series.find(({ isLine }) => isLine === true)
  if (line !== undefined) return [line]
  if (series.length === 1) return before.series.slice(0, 1)
  if (kind !== 'line') {
    const values = before.labels.map((_, place) => sumAt(before.series, place))
    return [{ name: 'Total', colour: 'total', values }]
  }
  if (series.length > MOST_LINES) return []
  return series.flatMap(({ name, colour }) => {
    const own = before.series.find((one) => one.name === name)
    return own === undefined ? [] : [{ ...own, colour }]
  })
}

function sumAt(series: readonly ChartSeries[], place: number): number | null {
  const known = series.flatMap(({ values }) => values[place] ?? [])
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
