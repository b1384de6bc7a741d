import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { DimensionsMenu } from '../controls/dimensions-menu.tsx'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { groupsOf } from './explore-drill.ts'
import { FIGURES } from './explore-figures.ts'
import { ExploreSeries } from './explore-series.tsx'
import { ExploreTotal } from './explore-total.tsx'

const [FIRST] = FIGURES
const VIEWS = [
  { value: 'series', label: 'Over time' },
  { value: 'total', label: 'Total' },
]

/** Any figure, by anything that it can be grouped and filtered by, as chart, pivot table or rows. */
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
          // What one figure is grouped and filtered by, another may not have.
          onChoose={(metric) => change({ metric, dimensions: undefined })}
        />
        <DimensionsMenu metric={figure.metric} query={figure.inputs} chosen={groups} />
      </div>
      {isTotal || figure.series === undefined ? (
        <ExploreTotal figure={figure} groups={groups} />
      ) : (
        <ExploreSeries figure={figure} asked={figure.series} groups={groups} />
      )}
    </Page>
  )
}
