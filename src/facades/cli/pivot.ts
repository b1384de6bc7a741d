import { type CellFormat, cellText } from '../presentation/cells.ts'
import { type TableColumn, tableLines } from '../presentation/text-table.ts'

type Row = Readonly<Record<string, unknown>>

/** One measure of a grouped series: one line per period, one column per group. */
export interface Pivot {
  readonly measure: string
  readonly groups: readonly string[]
  /** The currency of each group, if its rows name one. */
  readonly currencies: readonly (string | undefined)[]
  /** The period and the value of each group. */
  readonly lines: readonly { readonly period: string; readonly values: readonly unknown[] }[]
}

/** Most columns and most tables that are still readable. */
const MAX_GROUPS = 8
const MAX_MEASURES = 3

/**
 * A grouped series with one column per group and one table per measure. Undefined if the rows are no grouped series, have too many groups
 * or measures, or are grouped by a number, which cannot be told apart from a measure.
 */
export function pivoted(rows: readonly Row[], columns: readonly string[]): readonly Pivot[] | undefined {
  const measures = columns.filter((column) => isMeasure(rows, column))
  // The name of a segment replaces its id.
  const keys = columns.filter((column) => column !== 'period' && !measures.includes(column))
  const shown = keys.includes('segment_name') ? keys.filter((key) => key !== 'segment_id') : keys
  if (!columns.includes('period') || shown.length === 0 || measures.length > MAX_MEASURES) return undefined
  const groupOf = (row: Row) => shown.map((key) => cellText(row[key], key)).join(', ')
  const cells = new Map(rows.map((row) => [cellKey(String(row['period']), groupOf(row)), row]))
  const groups = [...new Set(rows.map(groupOf))]
  const periods = [...new Set(rows.map((row) => String(row['period'])))]
  const isFull = cells.size === rows.length && cells.size === groups.length * periods.length
  if (!isFull || groups.length < 2 || groups.length > MAX_GROUPS || periods.length < 2) return undefined
  const currencies = groups.map((group) => currencyOf(cells.get(cellKey(periods[0] ?? '', group))))
  return measures.map((measure) => ({
    measure,
    groups,
    currencies,
    lines: periods.map((period) => ({
      period,
      values: groups.map((group) => cells.get(cellKey(period, group))?.[measure]),
    })),
  }))
}

function currencyOf(row: Row | undefined): string | undefined {
  const currency = row?.['currency']
  return typeof currency === 'string' ? currency : undefined
}

function cellKey(period: string, group: string): string {
  return JSON.stringify([period, group])
}

function isMeasure(rows: readonly Row[], column: string): boolean {
  const values = rows.map((row) => row[column])
  return values.every((value) => value === null || typeof value === 'number') && values.some((value) => value !== null)
}

/** Unit of the cells of a matrix. */
const RATES: CellFormat = { units: new Map([['retention_rate', 'fraction']]) }

const ROW_PER_MONTH = ['active_month', 'months_since', 'active_count', 'retention_rate', 'is_complete']

/** True for a cohort matrix with one row per cohort and month. */
export function isCohortMatrix(columns: readonly string[]): boolean {
  return ROW_PER_MONTH.every((column) => columns.includes(column))
}

/** A cohort matrix as a triangle of retention rates: one line per cohort, one column per month since the start of the cohort. */
export function matrixLines(rows: readonly Row[], columns: readonly string[]): readonly string[] {
  const keys = columns.filter((column) => !ROW_PER_MONTH.includes(column))
  const months = [...new Set(rows.map((row) => Number(row['months_since'])))].sort((a, b) => a - b)
  const shape: readonly TableColumn[] = [
    ...keys.map(
      (title) =>
        ({
          title,
          align: rows.every((row) => typeof row[title] === 'number') ? 'right' : 'left',
        }) as const,
    ),
    ...months.map((month) => ({ title: `${month} `, align: 'right' }) as const),
  ]
  const lines = cohortsOf(rows, keys).map((cells) => [
    ...keys.map((key) => cellText(cells[0]?.[key], key)),
    ...months.map((month) => rateText(cells.find((cell) => cell['months_since'] === month))),
  ])
  const isOpen = rows.some((row) => row['is_complete'] === false)
  return [...tableLines(shape, lines), ...(isOpen ? ['* the month is not over'] : [])]
}

function cohortsOf(rows: readonly Row[], keys: readonly string[]): readonly (readonly Row[])[] {
  const cohorts = new Map<string, Row[]>()
  for (const row of rows) {
    const name = JSON.stringify(keys.map((key) => row[key]))
    const cells = cohorts.get(name)
    if (cells === undefined) cohorts.set(name, [row])
    else cells.push(row)
  }
  return [...cohorts.values()]
}

// The blank aligns complete months with starred months.
function rateText(cell: Row | undefined): string {
  if (cell === undefined) return ''
  return `${cellText(cell['retention_rate'], 'retention_rate', RATES)}${cell['is_complete'] === true ? ' ' : '*'}`
}
