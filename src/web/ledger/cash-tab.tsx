import { PlumblineError } from '../../client/index.ts'
import { numberIn, type Row, textIn } from '../api/use-answer.ts'
import { placesOf } from '../charts/places.ts'
import type { ChartSeries, ChartSpec, Colour } from '../charts/spec.ts'
import { labelOf } from '../format/labels.ts'
import type { ChartContext } from '../parts/card.tsx'
import { Empty } from '../parts/states.tsx'
import { dayDrill, monthDrill, statementColumns, unlessEmpty } from './drills.ts'
import { daysOfMonth } from './months.ts'
import { StatementCard } from './statement-card.tsx'
import { type Books, useSeries } from './use-ledger.ts'

const periodOf = (row: Row) => textIn(row, 'period') ?? ''

/** Payments, how long they take, customer credit, and failed payments. */
export function CashTab({ books }: { readonly books: Books }) {
  return (
    <>
      <div className="columns">
        <StatementCard
          title="Cash"
          statement="cash"
          books={books}
          empty="Nobody paid in these months."
          draw={cashSpec}
          columns={(rows) => statementColumns(rows, (row, field) => monthDrill('cash', periodOf(row), field, books))}
        />
        <DsoCard books={books} />
      </div>
      <StatementCard
        title="Customer credit"
        statement="credits"
        books={books}
        empty="No customer had credit in these months."
        pick={unlessEmpty}
        columns={(rows) => statementColumns(rows, (row, field) => monthDrill('credits', periodOf(row), field, books))}
      />
      <CollectionsCard books={books} />
    </>
  )
}

/** Fields of statements as series of a chart; undefined if all are empty. */
function seriesIn(rows: readonly Row[], fields: readonly (readonly [string, Colour])[]): readonly ChartSeries[] | undefined {
  const series = fields.map(([field, colour]) => ({
    name: labelOf(field),
    colour,
    values: rows.map((row) => numberIn(row, field)),
  }))
  const drawn = series.filter(({ values }) => values.some((value) => value !== null && value !== 0))
  return drawn.length === 0 ? undefined : drawn
}

function cashSpec(rows: readonly Row[], { currency, dayThrough }: ChartContext): ChartSpec | undefined {
  const bars = seriesIn(rows, [
    ['collected', 'series-1'],
    ['refunded', 'series-2'],
    ['charged_back', 'series-6'],
  ])
  if (bars === undefined) return undefined
  return {
    kind: 'bars',
    ...placesOf(rows.map(periodOf), 'month', { dayThrough }),
    series: bars,
    unit: 'money',
    currency,
  }
}

/** Days sales outstanding and collection period at the end of each month. */
function DsoCard({ books }: { readonly books: Books }) {
  const draw = (rows: readonly Row[], { currency, dayThrough }: ChartContext): ChartSpec | undefined => {
    const series = seriesIn(rows, [
      ['dso', 'series-1'],
      ['collection_period', 'series-3'],
    ])
    if (series === undefined) return undefined
    return { kind: 'line', ...placesOf(rows.map(periodOf), 'month', { dayThrough }), series, unit: 'count', currency }
  }
  return (
    <StatementCard
      title="Days until invoices are paid"
      statement="dso"
      books={books}
      empty="Nothing was billed in these months."
      draw={draw}
      columns={(rows) =>
        statementColumns(rows, (row, field) => dayDrill('dso', daysOfMonth(periodOf(row), books.today).end, field, books), [
          'dso',
          'collection_period',
        ])
      }
    />
  )
}

/** Failed payments and what was recovered after them, if the billing database has attempts. */
function CollectionsCard({ books }: { readonly books: Books }) {
  const title = 'Collections'
  const { error } = useSeries('collections', books).answer
  if (error instanceof PlumblineError && error.code === 'unsupported_by_connector')
    return (
      <section className="card" aria-label={title}>
        <header className="card-head">
          <h2>{title}</h2>
        </header>
        <Empty>{error.message}</Empty>
      </section>
    )
  return (
    <StatementCard
      title={title}
      statement="collections"
      books={books}
      empty="Nobody tried to collect an invoice in these months."
      columns={(rows) =>
        statementColumns(rows, (row, field) => monthDrill('collections', periodOf(row), field, books), [
          'recovery_rate',
          'median_days_to_recover',
        ])
      }
    />
  )
}
