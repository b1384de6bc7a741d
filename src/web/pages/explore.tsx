import type { Query } from '../api/question.ts'
import { currencyIn, currencyOf, numberIn, type Row, rowsOf } from '../api/use-answer.ts'
import { isMixed, seriesSpec } from '../charts/series.ts'
import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { DimensionsMenu } from '../controls/group-menus.tsx'
import { isAhead } from '../controls/ranges.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { SaveChart } from '../dashboards/saved-chart.tsx'
import { formatPeriod } from '../format/days.ts'
import { Figure, Labelled } from '../format/figure.tsx'
import { labelOf } from '../format/labels.ts'
import { unitOf } from '../format/traits.ts'
import { Card } from '../parts/card.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { useDrill } from '../parts/drill.tsx'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, NoForecast } from '../parts/states.tsx'
import { type Column, columnsOf, drillable, Table } from '../parts/table.tsx'
import { addsUp } from '../parts/table-order.ts'
import { drillOf, groupsOf, keysOf } from './explore-drill.ts'
import { type ExploredFigure, FIGURES } from './explore-figures.ts'
import { byCurrency, dimensionsOf, useCounted } from './unrated.ts'

const [FIRST] = FIGURES
/** Metrics with figures of days after today. */
const HAVE_FORECAST = ['mrr']
const VIEWS = [
  { value: 'series', label: 'Over time' },
  { value: 'total', label: 'Total' },
]

/** Any metric with any group and filter, as chart, pivot table or rows. */
export function Explore() {
  const { search } = usePage()
  const change = useChangeSearch()
  const figure = FIGURES.find(({ id }) => id === search.metric) ?? FIRST
  if (figure === undefined) return null
  const isTotal = search.view === 'total' || figure.series === undefined
  const groups = groupsOf(search)
  return (
    <Page
      title="Explore"
      lead="Any metric, filtered and grouped the way you need."
      hasForecast
      controls={{ metric: figure.metric, hasStep: !isTotal }}
      actions={
        figure.series !== undefined && (
          <ChoiceTabs
            label="View"
            value={isTotal ? 'total' : 'series'}
            choices={VIEWS}
            onChoose={(view) => change({ view: view === 'total' ? view : undefined })}
          />
        )
      }
    >
      <div className="explore-head">
        <ChoiceMenu
          label="Metric"
          value={figure.id}
          choices={FIGURES.map(({ id, label }) => ({ value: id, label }))}
          // Another metric may not have the same dimensions.
          onChoose={(metric) => change({ metric, dimensions: undefined })}
        />
        <DimensionsMenu metric={figure.metric} query={figure.inputs} chosen={groups} />
      </div>
      {isAhead(search) && !HAVE_FORECAST.includes(figure.metric) ? (
        <NoForecast />
      ) : isTotal || figure.series === undefined ? (
        <ExploreTotal figure={figure} groups={groups} />
      ) : (
        <ExploreSeries figure={figure} series={figure.series} groups={groups} />
      )}
    </Page>
  )
}

interface ExploreSeriesProps {
  readonly figure: ExploredFigure
  readonly series: NonNullable<ExploredFigure['series']>
  readonly groups: readonly string[]
}

/** A metric over time: a chart, and a pivot table with a row per group and a column per period. */
function ExploreSeries({ figure, series, groups }: ExploreSeriesProps) {
  const page = usePage()
  const { open } = useDrill()
  const { step, compared, range } = page
  const { measure, label } = figure
  const whole = {
    path: series.path,
    query: { ...compared, ...range, [series.stepName]: step, dimensions: dimensionsOf(groups), ...series.query },
  }
  const { question, answer, added } = useCounted(whole, groups, figure.isCounted)
  const keys = [...keysOf(figure, page.search), ...added]
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
        measure={measure}
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
        draw={(all, context) =>
          seriesSpec(all, { name: label, measure, groups: keys, kind: figure.kind, step, onPick: pick }, context)
        }
        columns={(all) => drillable(columnsOf(all), [measure], (row) => drillOf(figure, page, keys, row))}
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
  const lines = [...Map.groupBy(rows, (row) => JSON.stringify(keys.map((key) => row[key] ?? null)))].map(([, own]) => ({
    ...own[0],
    ...Object.fromEntries(own.map((row) => [`at ${String(row['period'])}`, row[measure] ?? null])),
  }))
  const isAdded = addsUp(
    measure,
    rows.map(({ period: _, ...row }) => row),
  )
  const columns = [
    ...keys.map((key) => ({ key, label: labelOf(key), render: (row: Row) => <Labelled value={row[key]} field={key} /> })),
    ...periods.map((period) => ({
      key: `at ${period}`,
      label: formatPeriod(period, step),
      isNumber: true,
      unit,
      isRounded: true,
      totals: isAdded,
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

const MOST = 100

/** A metric over the whole range: a number with its change, or a row per group, largest first. */
function ExploreTotal({ figure, groups }: { figure: ExploredFigure; groups: readonly string[] }) {
  const page = usePage()
  const { compared, audience, level, range, search } = page
  const { total, measure, label } = figure
  const isLevel = total.isLevel === true
  const when = isLevel ? level : range
  const isList = groups.length > 0 || search.compare_segments !== undefined || figure.id === 'movements'
  const saved = { version: 1, path: total.path, measure, groups, isLevel, explore: search } as const
  // A saved chart of a level stores no day, because the day follows from the chart's range.
  const keptOf = (query: Query) => (isLevel ? { ...query, at: undefined } : query)
  const isCut = search.compare_segments === undefined && figure.id !== 'movements'
  const cut = isCut ? { order: `-${measure}`, limit: MOST } : {}
  const whole = { path: total.path, query: { ...compared, ...when, ...total.query, dimensions: dimensionsOf(groups), ...cut } }
  const { question, added } = useCounted(whole, groups, figure.isCounted, isList && figure.isCounted === true)
  if (!isList && total.isGrouped === true)
    return <Empty>{label} have no total without groups. Group by a field, or choose “Over time”.</Empty>
  if (!isList) {
    const alone = { ...audience, ...when, ...total.query }
    const path = total.alone ?? total.path
    return (
      <>
        <div className="headlines">
          <Headline
            label={label}
            question={{ path, query: alone }}
            field={measure}
            drill={drillOf(figure, page, [], {})}
            {...(figure.isCounted === true && { unrated: byCurrency(page) })}
          />
        </div>
        <div className="form-buttons">
          <SaveChart name={label} config={{ ...saved, path, query: keptOf(alone), form: 'number' }} />
        </div>
      </>
    )
  }
  const keys = [...keysOf(figure, search), ...added]
  return (
    <Card
      title={label}
      question={question}
      controls={<SaveChart name={label} config={{ ...saved, query: keptOf(question.query), form: 'table' }} />}
      columns={(rows) =>
        drillable(leading(columnsOf(rows), [...keys, measure]), [measure], (row) => drillOf(figure, page, keys, row))
      }
    />
  )
}

/** The columns of these keys before the others: a narrow window shows the first ones. */
function leading(columns: readonly Column[], keys: readonly string[]): readonly Column[] {
  return [...columns.filter(({ key }) => keys.includes(key)), ...columns.filter(({ key }) => !keys.includes(key))]
}
