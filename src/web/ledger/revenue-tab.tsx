import { numberIn, type Row, textIn } from '../api/use-answer.ts'
import { stepsSpec } from '../charts/movements.ts'
import { placesOf } from '../charts/places.ts'
import type { ChartSpec } from '../charts/spec.ts'
import type { ChartContext } from '../parts/card.tsx'
import { DeferredCard } from './deferred-card.tsx'
import { monthDrill, statementColumns, unlessEmpty } from './drills.ts'
import { StatementCard } from './statement-card.tsx'
import type { Books } from './use-ledger.ts'

const EMPTY = 'Nothing was billed or recognized in these months.'

/** Recognized and deferred revenue: the months as a chart, the month step by step, and the statement. */
export function RevenueTab({ books }: { readonly books: Books }) {
  const { month } = books
  const columns = (rows: readonly Row[]) =>
    statementColumns(rows, (row, field) => monthDrill('revenue', textIn(row, 'period') ?? '', field, books))
  return (
    <>
      <div className="columns">
        <StatementCard
          title="Recognized and billed"
          statement="revenue"
          books={books}
          empty={EMPTY}
          draw={recognizedSpec}
          columns={columns}
        />
        <StatementCard
          title="Deferred revenue, step by step"
          statement="revenue"
          books={books}
          days={`in ${month.name}`}
          empty={EMPTY}
          draw={(rows, { currency }) => deferredSpec(rows, month.start, currency)}
          pick={(rows) => rows.filter((row) => row['period'] === month.start)}
          columns={columns}
        />
      </div>
      <DeferredCard books={books} />
      <StatementCard
        title="Deferred revenue, rolled forward"
        statement="revenue"
        books={books}
        empty={EMPTY}
        pick={unlessEmpty}
        columns={columns}
      />
    </>
  )
}

function recognizedSpec(rows: readonly Row[], { currency, dayThrough }: ChartContext): ChartSpec | undefined {
  const valuesOf = (field: string) => rows.map((row) => numberIn(row, field))
  const series = [
    { name: 'Recognized', colour: 'series-1' as const, values: valuesOf('recognized') },
    { name: 'Billed', colour: 'series-2' as const, values: valuesOf('billed'), isLine: true },
  ]
  if (series.every(({ values }) => values.every((value) => value === null || value === 0))) return undefined
  const periods = rows.map((row) => textIn(row, 'period') ?? '')
  return { kind: 'bars', ...placesOf(periods, 'month', { dayThrough }), series, unit: 'money', currency }
}

/** Deferred revenue from the beginning of the month to its end. */
function deferredSpec(rows: readonly Row[], month: string, currency: string): ChartSpec | undefined {
  const row = rows.find(({ period }) => period === month)
  const amount = (field: string) => numberIn(row, field) ?? 0
  const otherIncome = amount('other_income')
  const unbilled = amount('closing_unbilled') - amount('opening_unbilled')
  const steps = [
    { name: 'Opening', colour: 'total' as const, value: amount('opening_deferred') },
    { name: 'Billed', colour: 'movement-new' as const, value: amount('billed') },
    { name: 'Adjusted', colour: 'movement-contraction' as const, value: amount('adjusted') },
    { name: 'Recognized', colour: 'movement-expansion' as const, value: 0 - amount('recognized') },
    { name: 'Other income', colour: 'movement-other' as const, value: 0 - otherIncome },
    { name: 'Unbilled', colour: 'movement-other' as const, value: unbilled },
    { name: 'Closing', colour: 'total' as const, value: amount('closing_deferred') },
  ]
  const isEnd = (place: number) => place === 0 || place === steps.length - 1
  return stepsSpec(
    steps.filter(({ value }, place) => value !== 0 || isEnd(place)),
    currency,
  )
}
