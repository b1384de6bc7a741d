import type { Question } from '../api/question.ts'
import { numberIn, type Row, rowsOf, textIn, useAnswer } from '../api/use-answer.ts'
import { placesOf } from '../charts/places.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { daysLater, formatDay, formatPeriod } from '../format/days.ts'
import { formatValue } from '../format/numbers.ts'
import { Card, type ChartContext } from '../parts/card.tsx'
import { type Drill, DrillButton } from '../parts/drill.tsx'
import { rowsBehind } from '../parts/rows-behind.ts'
import { type Column, columnsOf, drillable } from '../parts/table.tsx'
import type { Books } from './use-ledger.ts'

const KEY = 'recognized_month'
const LATER = 'later'

/** Deferred revenue at the end of the month by the months in which it becomes revenue. The API knows it when the month has been over for a day. */
export function DeferredCard({ books }: { readonly books: Books }) {
  const { month, today } = books
  if (daysLater(month.end, 1) >= today) return null
  return (
    <Card
      title="Deferred revenue by months to come"
      question={questionOf(books)}
      days={`at the end of ${formatDay(month.end)}`}
      compareTo={null}
      empty="Nothing is deferred at the end of the month."
      lead={<NextMonth books={books} />}
      draw={deferredSpec}
      pick={shownRows}
      columns={(rows) => columnsOfTable(rows, books)}
    />
  )
}

function questionOf({ audience, month }: Books): Question {
  return { path: '/api/metrics/ledger/deferred', query: { ...audience, period: month.start.slice(0, 7) } }
}

/** The amount of the month that follows, which opens its charges. */
function NextMonth({ books }: { readonly books: Books }) {
  const answer = useAnswer(questionOf(books))
  const [next] = rowsOf(answer.data?.data)
  const amount = numberIn(next, 'deferred')
  if (next === undefined || amount === null) return null
  return (
    <p className="muted">
      Recognized in {nameOf(next)}, the next month:{' '}
      <DrillButton drill={drillOf(next, books)}>
        {formatValue(amount, 'money', { currency: books.currency, precise: true })}
      </DrillButton>
    </p>
  )
}

function nameOf(row: Row): string {
  const month = textIn(row, KEY) ?? ''
  return month === LATER ? 'Later' : formatPeriod(month, 'month')
}

function drillOf(row: Row, { audience, month }: Books): Drill {
  const query = { ...audience, query_type: 'deferred', period: month.start.slice(0, 7), [KEY]: textIn(row, KEY) ?? '' }
  return { title: `Deferred until ${nameOf(row)}`, ...rowsBehind('ledger', query, ['deferred']) }
}

/** No rows if nothing is deferred, so that the card says so in words. */
function shownRows(rows: readonly Row[]): readonly Row[] {
  return rows.some((row) => numberIn(row, 'deferred') !== 0) ? rows : []
}

function deferredSpec(rows: readonly Row[], { currency }: ChartContext): ChartSpec | undefined {
  const months = rows.filter((row) => textIn(row, KEY) !== LATER)
  if (shownRows(rows).length === 0) return undefined
  const places = placesOf(
    months.map((row) => textIn(row, KEY) ?? ''),
    'month',
    { dayThrough: undefined },
  )
  const isWhole = months.length === rows.length
  const values = rows.map((row) => numberIn(row, 'deferred'))
  return {
    kind: 'bars',
    ...places,
    labels: isWhole ? places.labels : [...places.labels, 'Later'],
    series: [{ name: 'Deferred revenue', colour: 'series-1', values }],
    unit: 'money',
    currency,
  }
}

function columnsOfTable(rows: readonly Row[], books: Books): readonly Column[] {
  const columns = columnsOf(rows).map((column) => (column.key === KEY ? { ...column, label: 'Month', render: nameOf } : column))
  return drillable(columns, ['deferred'], (row) => drillOf(row, books))
}
