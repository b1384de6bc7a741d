import { useChangeSearch, usePage } from '../controls/use-page.ts'
import type { Window } from '../controls/windows.ts'
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

const path = '/api/metrics/retention'

/** Net and gross revenue retention, and customer cohorts. */
export function Retention() {
  const page = usePage()
  const { audience, search, windows } = page
  const { rate, whole } = windows
  const change = useChangeSearch()
  const type = search.view === 'grr' ? 'grr' : 'nrr'
  const headline = (of: 'nrr' | 'grr') => {
    const question = ({ query }: Window) => ({ path, query: { ...audience, ...query, query_type: of } }) as const
    const drill = ({ days, query }: Window) => figureDrill(of, { ...page, days, range: query })
    return {
      question: question(rate),
      drill: drill(rate),
      over: rate === whole ? undefined : { name: whole.name, question: question(whole), drill: drill(whole) },
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
