import type { Query } from '../api/question.ts'
import { usePage } from '../controls/use-page.ts'
import { SaveChart } from '../dashboards/save-chart.tsx'
import { Card } from '../parts/card.tsx'
import { Headline } from '../parts/headline.tsx'
import { columnsOf, drilled } from '../parts/table.tsx'
import { drillOf, keysOf } from './explore-drill.ts'
import type { ExploredFigure } from './explore-figures.ts'

const MOST = 100

/** A figure over the whole range: alone with its change, or a row for each group, the largest first. */
export function ExploreTotal({ figure, groups }: { figure: ExploredFigure; groups: readonly string[] }) {
  const page = usePage()
  const { compared, audience, level, range, search } = page
  const { total, measure, label } = figure
  const isLevel = total.isLevel === true
  const when = isLevel ? level : range
  const isList = groups.length > 0 || search.compare_segments !== undefined || figure.id === 'movements'
  const saved = { version: 1, path: total.path, measure, groups, isLevel, explore: search } as const
  // The day of a level is not kept, but how it follows from the days.
  const keptOf = (query: Query) => (isLevel ? { ...query, at: undefined } : query)
  if (!isList) {
    const alone = { ...audience, ...when, ...total.query }
    return (
      <>
        <div className="headlines">
          <Headline
            label={label}
            question={{ path: total.path, query: alone }}
            field={measure}
            drill={drillOf(figure, page, [], {})}
          />
        </div>
        <div className="form-buttons">
          <SaveChart name={label} config={{ ...saved, query: keptOf(alone), form: 'number' }} />
        </div>
      </>
    )
  }
  const keys = keysOf(figure, search)
  const isCut = search.compare_segments === undefined && figure.id !== 'movements'
  const cut = isCut ? { order: `-${measure}`, limit: MOST } : {}
  const query = { ...compared, ...when, ...total.query, dimensions: groups.length === 0 ? undefined : groups.join(','), ...cut }
  return (
    <Card
      title={label}
      question={{ path: total.path, query }}
      controls={<SaveChart name={label} config={{ ...saved, query: keptOf(query), form: 'table' }} />}
      columns={(rows) => drilled(columnsOf(rows), [measure], (row) => drillOf(figure, page, keys, row))}
    />
  )
}
