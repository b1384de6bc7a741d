import { currencyOf, numberIn, type Row, rowsOf, useAnswer } from '../api/use-answer.ts'
import { isMixed } from '../charts/pivot.ts'
import { seriesSpec } from '../charts/series-spec.ts'
import { usePage } from '../controls/use-page.ts'
import { SaveChart } from '../dashboards/save-chart.tsx'
import { formatPeriod } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { labelOf, valueLabel } from '../format/labels.ts'
import { unitOf } from '../format/units.ts'
import { Card } from '../parts/card.tsx'
import { Table } from '../parts/table.tsx'
import type { ExploredFigure } from './explore-figures.ts'

interface ExploreSeriesProps {
  readonly figure: ExploredFigure
  readonly asked: NonNullable<ExploredFigure['series']>
  readonly groups: readonly string[]
}

/** A figure period by period: a chart, and below it a pivot table with a row for each group and a column for each period. */
export function ExploreSeries({ figure, asked, groups }: ExploreSeriesProps) {
  const page = usePage()
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
  const keys = keysOf(figure, groups, page.search.compare_segments !== undefined)
  const answer = useAnswer(question)
  const rows = rowsOf(answer.data?.data)
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
        draw={(all, around) => seriesSpec(all, { name: label, measure, groups: keys, kind: figure.kind, step }, around)}
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

/** What tells the rows of a period apart. */
function keysOf({ id }: ExploredFigure, groups: readonly string[], isCompared: boolean): readonly string[] {
  return [...(isCompared ? ['segment_name'] : []), ...(id === 'movements' ? ['movement_type'] : []), ...groups]
}

interface PivotTableProps {
  readonly rows: readonly Row[]
  readonly keys: readonly string[]
  readonly figure: ExploredFigure
  readonly currency: string
}

function PivotTable({ rows, keys, figure: { measure, label }, currency }: PivotTableProps) {
  const { step } = usePage()
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
      render: (row: Row) => (
        <Figure
          value={numberIn(row, `at ${period}`)}
          unit={unit}
          currency={currency}
          reason="There is no value in this period."
        />
      ),
    })),
  ]
  return <Table caption={`${label} by period`} columns={columns} rows={lines} currency={currency} step={step} />
}
