import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Unit } from '../../core/column.ts'
import { currencyIn, type Row } from '../api/use-answer.ts'
import { useNow } from '../controls/use-page.ts'
import { formatDay, formatPeriod, type Step } from '../format/days.ts'
import { Dash, Figure, Labelled } from '../format/figure.tsx'
import { labelOf, rawTitle, valueLabel } from '../format/labels.ts'
import { formatChange, formatValue } from '../format/numbers.ts'
import { unitOf } from '../format/traits.ts'
import { CustomerName } from './customer-name.tsx'
import { type Drill, DrillButton } from './drill.tsx'
import { Instant } from './instant.tsx'
import { ScrollArea } from './scroll-area.tsx'
import { addsUp, directionOf, nextOrder, sorted, sumOf } from './table-order.ts'

export interface Column {
  readonly key: string
  readonly label?: string
  /** Replaces the default rendering of the value. */
  readonly render?: (row: Row) => ReactNode
  /** The rows behind a number. */
  readonly drill?: ((row: Row) => Drill | undefined) | undefined
  readonly isNumber?: boolean
  /** Whether the API can sort by it. */
  readonly isSorted?: boolean
  /** Whether the numbers add up. By default as the API declares. */
  readonly totals?: boolean
  /** Unit of the numbers. By default as the API declares. */
  readonly unit?: Unit
  /** Whether amounts are shown without cents. */
  readonly isRounded?: boolean
  /** Whether the column has long texts, and takes the width that the others leave. */
  readonly isWide?: boolean
}

/** Columns for all fields of an answer, except technical ones. */
export function columnsOf(rows: readonly Row[], hidden: readonly string[] = []): Column[] {
  const keys = [...new Set(rows.slice(0, 50).flatMap((row) => Object.keys(row)))]
  const isDropped = (key: string) =>
    hidden.includes(key) ||
    HIDDEN.includes(key) ||
    isSameTenant(key, rows) ||
    (key === 'customer_id' && keys.includes('customer_name'))
  return keys
    .filter((key) => !isDropped(key))
    .map((key) => ({ key, isNumber: rows.some((row) => typeof row[key] === 'number') || unitOf(key) !== 'count' }))
}

// Records name their tenant. In a list of one tenant this says nothing.
function isSameTenant(key: string, rows: readonly Row[]): boolean {
  return key === 'tenant' && rows[0]?.['source_id'] !== undefined && new Set(rows.map((row) => row['tenant'])).size === 1
}

/** Adds the rows behind the numbers to the columns in `keys`. */
export function drillable(
  columns: readonly Column[],
  keys: readonly string[],
  drill: (row: Row, key: string) => Drill | undefined,
): readonly Column[] {
  return columns.map((column) =>
    keys.includes(column.key) ? { ...column, drill: (row: Row) => drill(row, column.key) } : column,
  )
}

const HIDDEN = ['is_rest', 'is_partial', 'is_forecast', 'segment_id', 'subscription_id', 'source_id', 'text']

/** Most cells drawn at once. Without a limit, a year by day for a few hundred customers would block the browser for a minute. */
const MOST_CELLS = 4_000
const FEWEST_ROWS = 10

interface TableProps {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /**
   * Currency of the amounts. Empty if each row has its own currency. Amounts in the base currency then use the service's
   * currency.
   */
  readonly currency: string
  readonly step?: Step | undefined
  /** Field that the rows are sorted by, with `-` for descending order. */
  readonly order?: string | undefined
  /** Called with another order if the API sorts, because the rows are only a part of the list. */
  readonly onOrder?: ((order: string) => void) | undefined
  /** Whether these are all rows. The table then sorts them itself. */
  readonly isWhole?: boolean
  /** Whether each row becomes a list of values in a narrow window. For tables that users read row by row. */
  readonly stacks?: boolean
}

/** Rows of an answer, sorted by any column. A long table shows its first rows and a button for more. A wide table scrolls. */
export function Table(props: TableProps) {
  const { caption, columns, rows: given, currency: own, step, order: first, onOrder, stacks = false } = props
  const { isWhole = onOrder === undefined } = props
  const { currency: base } = useNow()
  const currency = own === '' ? base : own
  const page = Math.max(FEWEST_ROWS, Math.floor(MOST_CELLS / Math.max(1, columns.length)))
  const [pages, setPages] = useState(1)
  const [chosen, setOrder] = useState<string>()
  // A printed table is whole: paper has no button for more rows.
  useEffect(() => {
    const showAll = () => flushSync(() => setPages(Number.POSITIVE_INFINITY))
    const showFirst = () => setPages(1)
    addEventListener('beforeprint', showAll)
    addEventListener('afterprint', showFirst)
    return () => {
      removeEventListener('beforeprint', showAll)
      removeEventListener('afterprint', showFirst)
    }
  }, [])
  const rows = isWhole ? sorted(given, chosen) : given
  const shown = rows.slice(0, pages * page)
  const order = isWhole ? (chosen ?? first) : first
  const sort = isWhole ? setOrder : onOrder
  // The row of all others sums up the rows that are left out.
  const hasAll = isWhole || rows.some((row) => row['is_rest'] === true)
  const canSort = ({ key, isSorted = false }: Column) =>
    isWhole ? rows.length > 1 && rows.some((row) => (row[key] ?? null) !== null) : isSorted
  return (
    <ScrollArea label={`${caption}, table`} className={stacks ? 'is-stacked' : ''}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} order={order} onOrder={canSort(column) ? sort : undefined} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, place) => (
            <tr key={place} className={row['is_rest'] === true ? 'is-rest' : undefined}>
              {columns.map((column, at) => (
                <td
                  key={column.key}
                  className={column.isNumber === true ? 'is-number' : column.isWide === true ? 'is-wide' : undefined}
                  data-label={stacks ? labelOfColumn(column) : undefined}
                >
                  {row['is_rest'] === true && at === 0 ? (
                    'All others'
                  ) : (
                    <TableCell column={column} row={row} currency={currency} step={step} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {hasAll && <Totals columns={columns} rows={rows} currency={currency} stacks={stacks} />}
      </table>
      {shown.length < rows.length && (
        <p className="table-more">
          {formatValue(shown.length, 'count')} of {formatValue(rows.length, 'count')} rows{' '}
          <button type="button" className="button" onClick={() => setPages(pages + 1)}>
            Show more
          </button>
        </p>
      )}
    </ScrollArea>
  )
}

interface TotalsProps {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly currency: string
  readonly stacks: boolean
}

/** The sums of all columns that add up. Nothing if no column does, or if the first column has no room for the word. */
function Totals({ columns, rows, currency, stacks }: TotalsProps) {
  const sums = columns.map(({ key, totals }) => ((totals ?? addsUp(key, rows)) ? sumOf(key, rows) : undefined))
  if (rows.length < 2 || sums[0] !== undefined || sums.every((sum) => sum === undefined)) return null
  return (
    <tfoot>
      <tr>
        {columns.map((column, at) => {
          const { key, unit = unitOf(key), isNumber = false, isRounded = false } = column
          const sum = sums[at]
          if (at === 0)
            return (
              <th key={key} scope="row">
                Total
              </th>
            )
          return (
            <td key={key} className={isNumber ? 'is-number' : undefined} data-label={stacks ? labelOfColumn(column) : undefined}>
              {sum !== undefined && (
                <Sum value={sum} field={key} unit={unit} currency={currencyIn(rows[0], key, currency)} precise={!isRounded} />
              )}
            </td>
          )
        })}
      </tr>
    </tfoot>
  )
}

interface SumProps {
  readonly value: number
  readonly field: string
  readonly unit: Unit
  readonly currency: string
  readonly precise?: boolean
}

/** A number of the table, or the difference of two numbers. */
function Sum({ value, field, unit, currency, precise = true }: SumProps) {
  if (field.startsWith('change_')) return <span className="figure">{formatChange(value, unit, { currency, precise })}</span>
  return <Figure value={value} unit={unit} currency={currency} precise={precise} />
}

function TableCell({ column, row, currency, step }: { column: Column; row: Row; currency: string; step: Step | undefined }) {
  const shown = column.render?.(row) ?? <Cell row={row} column={column} currency={currency} step={step} />
  const isMade = row['is_rest'] !== true && row[column.key] !== 0 && row[column.key] !== null && row[column.key] !== undefined
  const drill = isMade ? column.drill?.(row) : undefined
  if (drill === undefined) return shown
  return <DrillButton drill={drill}>{shown}</DrillButton>
}

function labelOfColumn({ key, label }: Column): string {
  return label ?? labelOf(key)
}

function Head({ column, order, onOrder }: { column: Column; order: string | undefined; onOrder: TableProps['onOrder'] }) {
  const { key, isNumber = false } = column
  const label = labelOfColumn(column)
  const className = isNumber ? 'is-number' : undefined
  if (onOrder === undefined || label === '')
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    )
  const direction = directionOf(key, order)
  return (
    <th scope="col" className={className} aria-sort={direction ?? 'none'}>
      <button type="button" className="sort" onClick={() => onOrder(nextOrder(key, order, isNumber))}>
        {label}
        <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}</span>
      </button>
    </th>
  )
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const PERIODS = ['period', 'month', 'cohort_month', 'customer_created_month', 'active_month']

/** Why an amount in the base currency is not known. */
export const NO_AMOUNT = 'A price or an exchange rate is missing.'

interface CellProps {
  readonly row: Row
  readonly column: Column
  readonly currency: string
  readonly step?: Step | undefined
}

/** The content of a cell. */
function Cell({ row, column: { key: field, unit = unitOf(field) }, currency, step = 'month' }: CellProps) {
  const value = row[field]
  if (field === 'customer_name' || field === 'name') return <CustomerName row={row} field={field} />
  if (value === null || value === undefined) return <Dash reason={field.endsWith('_base_cents') ? NO_AMOUNT : 'No value.'} />
  if (typeof value === 'number')
    return <Sum value={value} field={field} unit={unit} currency={currencyIn(row, field, currency)} />
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (PERIODS.includes(field)) return formatPeriod(text, field === 'period' ? step : 'month')
  if (INSTANT.test(text)) return <Instant text={text} />
  if (DAY.test(text)) return <time dateTime={text}>{formatDay(text)}</time>
  if (field === 'status' || field === 'movement_type')
    return (
      <span className={`tag is-${text}`} title={rawTitle(text, field)}>
        {valueLabel(text, field)}
      </span>
    )
  return <Labelled value={text} field={field} />
}
