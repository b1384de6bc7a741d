import { Link } from '@tanstack/react-router'
import { seriesSpec } from '../charts/series-spec.ts'
import { daysOf } from '../controls/ranges.ts'
import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { CardMenu } from '../parts/card-menu.tsx'
import { Headline } from '../parts/headline.tsx'
import { Empty } from '../parts/states.tsx'
import { readChartConfig } from './chart-config.ts'

interface SavedChartProps {
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
}

/** A saved chart: the card that it was in Explore, with today's answer. */
export function SavedChart({ name, config: raw }: SavedChartProps) {
  const { today } = usePage()
  const config = readChartConfig(raw)
  if (config === undefined)
    return (
      <section className="card" aria-label={name}>
        <header className="card-head">
          <h2>{name}</h2>
        </header>
        <Empty>This chart cannot be read: another program, or another version of this page, has saved it.</Empty>
      </section>
    )
  const { path, query, form, measure, groups, step, isLevel, explore } = config
  const question = { path, query: isLevel === true ? { ...query, at: daysOf(explore, today).end } : query }
  const controls = (
    <Link to="/explore" search={explore} className="button is-quiet" aria-label={`Explore ${name}`}>
      Explore
    </Link>
  )
  if (form === 'number')
    return (
      <div className="card placed-number">
        <Headline label={name} question={question} field={measure} />
        <div className="placed-tools">
          {controls}
          <CardMenu title={name} question={question} png={undefined} />
        </div>
      </div>
    )
  if (form === 'table' || step === undefined) return <Card title={name} question={question} controls={controls} />
  return (
    <Card
      title={name}
      question={question}
      step={step}
      controls={controls}
      draw={(rows, around) => seriesSpec(rows, { name, measure, groups, kind: form, step }, around)}
    />
  )
}
