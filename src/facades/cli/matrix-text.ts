import { cellText } from './figures.ts'
import { type TableColumn, tableLines } from './table.ts'

type Row = Readonly<Record<string, unknown>>

const ROW_PER_MONTH = ['active_month', 'months_since', 'active_count', 'retention_rate', 'is_complete']

/** True for a cohort matrix: one row per cohort and month. */
export function isCohortMatrix(columns: readonly string[]): boolean {
  return ROW_PER_MONTH.every((column) => columns.includes(column))
}

/** A cohort matrix as a triangle: a line per cohort, a column per month since its own, retention rates in the cells. */
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
  return [...tableLines(shape, lines), ...(isOpen ? ['* the month had not ended'] : [])]
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

// The blank keeps complete months in line with the starred ones.
function rateText(cell: Row | undefined): string {
  if (cell === undefined) return ''
  return `${cellText(cell['retention_rate'], 'retention_rate')}${cell['is_complete'] === true ? ' ' : '*'}`
}
