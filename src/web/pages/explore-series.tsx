import { currencyIn, currencyOf, numberIn, type Row, rowsOf, useAnswer } from '../api/use-answer.ts'
import { isMixed } from '../charts/pivot.ts'
import { seriesSpec } from '../charts/series-spec.ts'
import { usePage } from '../controls/use-page.ts'
import { SaveChart } from '../dashboards/save-chart.tsx'
import { formatPeriod } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf, valueLabel } from '../format/labels.ts'
import { unitOf } from '../format/units.ts'
import { Card } from '../parts/card.tsx'
import { useDrill } from '../parts/drill.tsx'
import { columnsOf, drilled, Table } from '../parts/table.tsx'
import { drillOf, keysOf } from './explore-drill.ts'
import type { ExploredFigure } from './explore-figures.ts'

interface ExploreSeriesProps {
  readonly figure: ExploredFigure
  readonly asked: NonNullable<ExploredFigure['series']>
  readonly groups: readonly string[]
}

/** A figure period by period: a chart, and below it a pivot table with a row for each group and a column for each period. */
export function ExploreSeries({ figure, asked, groups }: ExploreSeriesProps) {
  const page = usePage()
  const { open } = useDrill()
  const { step, compared, range } = page
  const { measure, label } = figure
  const query = {
    ...compared,
    ...range,
    [asked.stepName]: step,
    dimensions: groups.length === 0 ? undefined : groups.join(','),
    ...asked.query,
  }
  const question = { path: asked.path, query }
  const keys = keysOf(figure, page.search)
  const answer = useAnswer(question)
  const rows = rowsOf(answer.data?.data)
  const pick = (period: string, row: Row | undefined) => {
    const drill = drillOf(figure, page, row === undefined ? [] : keys, row ?? {}, period)
    if (drill !== undefined) open(drill)
  }
  return (
    <>
      <Card
        title={label}
        question={question}
        step={step}
        controls={
          <SaveChart
            name={label}
            config={{
              version: 1,
              ...question,
              form: isMixed(keys) ? 'line' : figure.kind,
              measure,
              groups: keys,
              step,
              explore: page.search,
            }}
          />
        }
        draw={(all, around) =>
          seriesSpec(all, { name: label, measure, groups: keys, kind: figure.kind, step, onPick: pick }, around)
        }
        columns={(all) => drilled(columnsOf(all), [measure], (row) => drillOf(figure, page, keys, row))}
      />
      {rows.length > 0 && keys.length > 0 && (
        <section className="card" aria-label="Pivot table">
          <header className="card-head">
            <h2>Pivot table</h2>
          </header>
          <PivotTable rows={rows} keys={keys} figure={figure} currency={currencyOf(answer.data)} />
        </section>
      )}
    </>
  )
}

interface PivotTableProps {
  readonly rows: readonly Row[]
  readonly keys: readonly string[]
  readonly figure: ExploredFigure
  readonly currency: string
}

function PivotTable({ rows, keys, figure, currency }: PivotTableProps) {
  const page = usePage()
  const { step } = page
  const { measure, label } = figure
  const unit = unitOf(measure)
  const periods = [...new Set(rows.map((row) => String(row['period'])))].sort()
  const lines = [...Map.groupBy(rows, (row) => keys.map((key) => valueLabel(row[key])).join('\n'))].map(([, own]) => ({
    ...own[0],
    ...Object.fromEntries(own.map((row) => [`at ${String(row['period'])}`, row[measure] ?? null])),
  }))
  const columns = [
    ...keys.map((key) => ({ key, label: labelOf(key), render: (row: Row) => valueLabel(row[key]) })),
    ...periods.map((period) => ({
      key: `at ${period}`,
      label: formatPeriod(period, step),
      isNumber: true,
      drill: (row: Row) => drillOf(figure, page, keys, row, period),
      render: (row: Row) => (
        <Figure
          value={numberIn(row, `at ${period}`)}
          unit={unit}
          currency={currencyIn(row, measure, currency)}
          reason="No value in this period."
        />
      ),
    })),
  ]
  return <Table caption={`${label} by period`} columns={columns} rows={lines} currency={currency} step={step} />
}
