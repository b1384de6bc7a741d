import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { type Window, yearTo } from '../controls/windows.ts'
import { formatDay, monthBefore } from '../format/days.ts'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { CohortCard } from './cohort-card.tsx'
import { retentionDrill } from './drills.ts'
import { figureDrill } from './explore-drill.ts'
import { partsOf } from './explore-figures.ts'
import { RevenueCohortCard } from './revenue-cohort-card.tsx'

const RATES = [
  { value: 'nrr', label: 'Net' },
  { value: 'grr', label: 'Gross' },
]

const MONTHS_OF_YEAR = 12

const path = '/api/metrics/retention'

/** Net and gross revenue retention, and customer cohorts. */
export function Retention() {
  const page = usePage()
  const { audience, compareTo, search, windows } = page
  const { level, year, rate, whole } = windows
  const change = useChangeSearch()
  const type = search.view === 'grr' ? 'grr' : 'nrr'
  // The overview compares with the twelve months up to the same day, too.
  const dayBefore = monthBefore(level.days.end, compareTo === 'year' ? MONTHS_OF_YEAR : 1)
  const headline = (of: 'nrr' | 'grr') => {
    const question = ({ query }: Window) => ({ path, query: { ...audience, ...query, query_type: of } }) as const
    const drill = ({ days, query }: Window) => figureDrill(of, { ...page, days, range: query })
    const second = rate === whole ? [whole] : [rate, whole]
    return {
      question: question(year),
      drill: drill(year),
      earlier: { question: question(yearTo(dayBefore)), name: formatDay(dayBefore) },
      over: second.map((window) => ({ name: window.name, question: question(window), drill: drill(window) })),
    }
  }
  return (
    <Page
      title="Retention"
      lead="The share of revenue and customers that you keep."
      controls={{ metric: 'retention', groupsOf: type }}
    >
      <div className="headlines">
        <Headline label="Net revenue retention" field="nrr" {...headline('nrr')} />
        <Headline label="Gross revenue retention" field="grr" {...headline('grr')} />
      </div>
      {search.kept === undefined ? <CohortCard /> : <RevenueCohortCard kept={search.kept} />}
      <SeriesCard
        title={type === 'nrr' ? 'Net revenue retention' : 'Gross revenue retention'}
        path={path}
        query={{ query_type: type }}
        measure="retention_rate"
        kind="line"
        stepName="granularity"
        controls={
          <ChoiceTabs
            label="Retention type"
            value={type}
            choices={RATES}
            onChoose={(view) => change({ view }, { replace: true })}
          />
        }
        drillable={['retention_rate', ...partsOf(type)]}
        drill={(state, period, field) => retentionDrill(state, period, type, field)}
      />
    </Page>
  )
}
