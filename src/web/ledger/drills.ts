import { filteredTo, filtersOf, type Query } from '../api/question.ts'
import { type Row, textIn } from '../api/use-answer.ts'
import { formatDay, formatDays } from '../format/days.ts'
import { labelOf, valueLabel } from '../format/labels.ts'
import { ofRecords } from '../pages/open-invoices.tsx'
import type { Drill } from '../parts/drill.tsx'
import { rowsBehind } from '../parts/rows-behind.ts'
import { type Column, columnsOf, drillable } from '../parts/table.tsx'
import { daysOfMonth } from './months.ts'
import type { Books } from './use-ledger.ts'

const FIELDS = ['customer_name', 'number', 'issued_on', 'due_on', 'days_past_due', 'balance_cents', 'balance_base_cents']

/** The rows behind a number of a month. */
export function monthDrill(query_type: string, period: string, field: string, { audience, today }: Books): Drill {
  const days = daysOfMonth(period, today)
  return {
    title: `${labelOf(field)}, ${formatDays(days.start, days.end)}`,
    ...rowsBehind('ledger', { ...audience, query_type, ...days, period: 'all' }, [field]),
  }
}

/** The rows behind a number of a day. */
export function dayDrill(query_type: string, at: string, field: string, { audience }: Books): Drill {
  return { title: `${labelOf(field)}, ${formatDay(at)}`, ...rowsBehind('ledger', { ...audience, query_type, at }, [field]) }
}

interface Narrowed {
  readonly ages?: readonly string[]
  readonly customer?: Row
}

/** The open invoices of a day: of some ages, or of a customer. */
export function openDrill(title: string, at: string, { audience }: Books, { ages = [], customer }: Narrowed = {}): Drill {
  const id = textIn(customer, 'customer_id') ?? undefined
  const query = narrowed(ofRecords(audience), ages)
  return {
    title,
    question: { path: '/api/ledger/open-invoices', query: { ...query, at, customer_id: id, order: '-balance_base_cents' } },
    fields: FIELDS,
    sum: 'balance_base_cents',
  }
}

function narrowed(query: Query, ages: readonly string[]): Query {
  const [first, ...others] = ages
  if (first === undefined) return query
  return { ...query, filter: [...filteredTo(filtersOf(query), 'age', first), ...others.map((age) => `age=${age}`)] }
}

/** The name of an age within a sentence: `31–60 days past due`, `not due`. */
export function ageName(age: string): string {
  return age === 'current' ? 'not past due' : `${valueLabel(age, 'age').toLowerCase()} past due`
}

/** The waterfall has a column of this name that does not add up. In the other statements it does. */
const ADDED = 'adjusted'

/** Columns that have amounts only if the configuration closes months, or names kinds of revenue. */
const BY_OPTION = ['late', 'other_income']

/** All columns of a statement. A number opens its rows, except those in `without`, which have none. */
export function statementColumns(
  rows: readonly Row[],
  drill: (row: Row, field: string) => Drill | undefined,
  without: readonly string[] = [],
): readonly Column[] {
  const isShown = (key: string) => !BY_OPTION.includes(key) || rows.some((row) => row[key] !== 0)
  const shown = columnsOf(rows).filter(({ key }) => isShown(key))
  const columns = shown.map((column) => (column.key === ADDED ? { ...column, totals: true } : column))
  const keys = columns.filter(({ key, isNumber }) => isNumber === true && !without.includes(key)).map(({ key }) => key)
  return drillable(columns, keys, drill)
}

/** The rows of a statement; none if all its numbers are 0, so that its card says in words that nothing happened. */
export function unlessEmpty(rows: readonly Row[]): readonly Row[] {
  const isFilled = (row: Row) => Object.values(row).some((value) => typeof value === 'number' && value !== 0)
  return rows.some(isFilled) ? rows : []
}
