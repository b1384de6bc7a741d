import { valueLabel } from '../format/labels.ts'
import { traitsOf } from '../format/traits.ts'

type Row = Readonly<Record<string, unknown>>

/** Direction of a sorted column; `undefined` if another column is sorted. */
export function directionOf(key: string, order: string | undefined): 'ascending' | 'descending' | undefined {
  const [first] = order?.split(',') ?? []
  return first === key ? 'ascending' : first === `-${key}` ? 'descending' : undefined
}

/** The order after a click on a column. Numbers start with the largest, everything else starts with the smallest. */
export function nextOrder(key: string, order: string | undefined, isNumber: boolean): string {
  const now = directionOf(key, order)
  const isFalling = now === undefined ? isNumber : now === 'ascending'
  return isFalling ? `-${key}` : key
}

/** Rows in the order of a field, with `-` for descending. Rows without a value come last, and the row of all others ends the list. */
export function sorted(rows: readonly Row[], order: string | undefined): readonly Row[] {
  if (order === undefined) return rows
  const isFalling = order.startsWith('-')
  const key = isFalling ? order.slice(1) : order
  const isRest = (row: Row) => row['is_rest'] === true
  return rows.toSorted((one, other) => {
    if (isRest(one) !== isRest(other)) return isRest(one) ? 1 : -1
    const [first, second] = [one[key] ?? null, other[key] ?? null]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return (isFalling ? -1 : 1) * compared(first, second, key)
  })
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const ISO = /^\d{4}-\d{2}-\d{2}/

/** Numbers by size, days by date, all other texts by the label that the page shows. Digits in a label count as a number. */
function compared(one: unknown, other: unknown, field: string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const texts = [one, other].map((value) => (typeof value === 'string' && ISO.test(value) ? value : valueLabel(value, field)))
  return words.compare(texts[0] ?? '', texts[1] ?? '')
}

const PERIODS = ['period', 'month', 'active_month']

/** Whether the numbers of a field add up over these rows. Rates and averages do not, nor customers of several segments. */
export function addsUp(field: string, rows: readonly Row[]): boolean {
  const [first = {}] = rows
  if ('segment_id' in first || 'segment_name' in first) return false
  const isMixed = new Set(rows.map((row) => row['currency'] ?? null)).size > 1
  if (isMixed && !field.endsWith('_base_cents')) return false
  const { adds } = traitsOf(field)
  return adds === 'groups_and_periods' || (adds === 'groups' && !PERIODS.some((period) => period in first))
}

/** The sum of a field. Undefined if the row of all others does not say its part, or if a base amount has no exchange rate. */
export function sumOf(field: string, rows: readonly Row[]): number | undefined {
  const values = rows.map((row) => ({ value: row[field], isRest: row['is_rest'] === true }))
  const mustKnow = field.endsWith('_base_cents')
  if (values.some(({ value, isRest }) => (isRest || mustKnow) && typeof value !== 'number')) return undefined
  const known = values.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}
