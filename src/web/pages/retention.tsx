import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { CohortCard } from './cohort-card.tsx'
import { retentionDrill } from './drills.ts'
import { figureDrill } from './explore-drill.ts'

const RATES = [
  { value: 'nrr', label: 'Net' },
  { value: 'grr', label: 'Gross' },
]

const path = '/api/metrics/retention'

/** Net and gross revenue retention, and customer cohorts. */
export function Retention() {
  const page = usePage()
  const { audience, range, search } = page
  const change = useChangeSearch()
  const type = search.view === 'grr' ? 'grr' : 'nrr'
  return (
    <Page
      title="Retention"
      lead="The share of revenue and customers that you keep."
      controls={{ metric: 'retention', groupsOf: type }}
    >
      <div className="headlines">
        <Headline
          label="Net revenue retention"
          question={{ path, query: { ...audience, ...range, query_type: 'nrr' } }}
          field="nrr"
          drill={figureDrill('nrr', page)}
        />
        <Headline
          label="Gross revenue retention"
          question={{ path, query: { ...audience, ...range, query_type: 'grr' } }}
          field="grr"
          drill={figureDrill('grr', page)}
        />
      </div>
      <CohortCard />
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
        drill={(state, period) => retentionDrill(state, period, type)}
      />
    </Page>
  )
}
