import { Link } from '@tanstack/react-router'
import type { Row } from '../api/use-answer.ts'
import { seriesSpec } from '../charts/series-spec.ts'
import { levelQuery } from '../controls/ranges.ts'
import { pageOf, usePage } from '../controls/use-page.ts'
import { drillOf, keysOf } from '../pages/explore-drill.ts'
import { type ExploredFigure, FIGURES } from '../pages/explore-figures.ts'
import { Card } from '../parts/card.tsx'
import { CardMenu } from '../parts/card-menu.tsx'
import { useDrill } from '../parts/drill.tsx'
import { Headline } from '../parts/headline.tsx'
import { Empty } from '../parts/states.tsx'
import { columnsOf, drilled } from '../parts/table.tsx'
import { type ChartConfig, readChartConfig } from './chart-config.ts'

/** Of no group: the figure as a whole. */
const WHOLE: Row = {}

interface SavedChartProps {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
}

/** A saved chart: the card that it was in Explore, with today's answer. */
export function SavedChart({ name, config: raw }: SavedChartProps) {
  const { today, currency } = usePage()
  const { open } = useDrill()
  const config = readChartConfig(raw)
  if (config === undefined)
    return (
      <section className="card" aria-label={name}>
        <header className="card-head">
          <h2>{name}</h2>
        </header>
        <Empty>This chart can’t be displayed: another program or another version of Plumbline saved it.</Empty>
      </section>
    )
  const { path, query, form, measure, groups, step, isLevel, explore } = config
  const then = pageOf(explore, today, currency)
  const question = { path, query: isLevel === true ? { ...query, ...levelQuery(explore, today) } : query }
  const figure = figureOf(config)
  const drill = (row: Row, period?: string) =>
    figure && drillOf(figure, then, row === WHOLE ? [] : keysOf(figure, explore), row, period)
  const controls = (
    <Link to="/explore" search={explore} className="button is-quiet" aria-label={`Explore ${name}`}>
      Explore
    </Link>
  )
  if (form === 'number')
    return (
      <div className="card placed-number">
        <Headline label={name} question={question} field={measure} drill={drill(WHOLE)} />
        <div className="placed-tools">
          {controls}
          <CardMenu title={name} question={question} png={undefined} />
        </div>
      </div>
    )
  const columns = (rows: readonly Row[]) => drilled(columnsOf(rows), [measure], (row) => drill(row))
  if (form === 'table' || step === undefined)
    return <Card title={name} question={question} controls={controls} columns={columns} />
  const pick = (period: string, row = WHOLE) => {
    const made = drill(row, period)
    if (made !== undefined) open(made)
  }
  return (
    <Card
      title={name}
      question={question}
      step={step}
      controls={controls}
      draw={(rows, around) => seriesSpec(rows, { name, measure, groups, kind: form, step, onPick: pick }, around)}
      columns={columns}
    />
  )
}

/** The figure that Explore showed when the chart was saved; undefined where it asks something else now. */
function figureOf({ path, measure, explore, step }: ChartConfig): ExploredFigure | undefined {
  const asked = ({ total, series }: ExploredFigure) => (step === undefined ? total.path : series?.path)
  return FIGURES.find(
    (figure) => figure.id === (explore.metric ?? FIGURES[0]?.id) && asked(figure) === path && figure.measure === measure,
  )
}
