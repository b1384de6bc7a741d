import { numberIn, type Row } from '../api/use-answer.ts'
import type { ChartSpec, Colour } from '../charts/spec.ts'
import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { useDrill } from '../parts/drill.tsx'
import { groupKeys, narrowToGroups } from '../parts/drill-groups.ts'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { columnsOf, drillable } from '../parts/table.tsx'
import { trialDrill, trialsOf } from './drills.ts'
import { ofRecords } from './open-invoices.tsx'

const STAGES: readonly { readonly key: string; readonly label: string; readonly colour: Colour }[] = [
  { key: 'started', label: 'Started', colour: 'total' },
  { key: 'converted', label: 'Converted', colour: 'movement-new' },
  { key: 'pending', label: 'In trial', colour: 'movement-other' },
  { key: 'expired', label: 'Expired', colour: 'movement-churn' },
]
const FIELDS = ['conversion_rate', 'decided_conversion_rate', ...STAGES.map(({ key }) => key)]
const EMPTY = 'No trials started in this period. Plans without a trial phase never have any.'
/** Trials of a page of the list. */
const PAGE = 50

/** Trials: started, converted, and currently active. */
export function Trials() {
  const page = usePage()
  const { audience, compared, range, search, windows } = page
  const { open } = useDrill()
  const plans = groupKeys(search, 'plan_id')
  const stage = (field: string) => trialsOf({ ...audience, ...range }, windows.whole.name, field)
  return (
    <Page
      title="Trials"
      lead="Trials by start date, whenever they converted or expired."
      controls={{ metric: 'trials', groupsOf: 'series' }}
    >
      <div className="headlines">
        <Headline
          label="Trial conversion"
          question={{ path: '/api/metrics/trials', query: { ...audience, ...range } }}
          field="conversion_rate"
          reason="No trials started in this period."
          drill={stage('conversion_rate')}
        />
        <Headline
          label="Trials started"
          question={{ path: '/api/metrics/trials/funnel', query: { ...audience, ...range } }}
          field="started"
          drill={stage('started')}
        />
        <Headline
          label="In trial"
          question={{ path: '/api/metrics/trials/funnel', query: { ...audience, ...range } }}
          field="pending"
          drill={stage('pending')}
        />
      </div>
      <div className="columns">
        <SeriesCard
          title="Conversion by start date"
          path="/api/metrics/trials/series"
          measure="conversion_rate"
          kind="line"
          empty={EMPTY}
          drillable={FIELDS}
          drill={(state, period, field = 'conversion_rate') => trialDrill(state, period, field)}
        />
        <Card
          title="Funnel"
          question={{ path: '/api/metrics/trials/funnel', query: { ...audience, ...range } }}
          empty={EMPTY}
          draw={(rows, { currency }) => {
            const spec = funnelSpec(rows[0], currency)
            return (
              spec && {
                ...spec,
                onPick: (place) => open(stage(STAGES[place]?.key ?? 'started')),
              }
            )
          }}
          columns={(rows) => drillable(columnsOf(rows), FIELDS, (_, key) => stage(key))}
        />
      </div>
      <Card
        title="By plan"
        question={{ path: '/api/metrics/trials', query: { ...compared, ...range, dimensions: 'plan_id', order: '-started' } }}
        empty={EMPTY}
        columns={(rows) => drillable(columnsOf(rows), FIELDS, (row, key) => narrowToGroups(stage(key), plans, row))}
      />
      <Card
        title="Active trials"
        question={{
          path: '/api/subscriptions',
          query: { ...ofRecords(audience), status: 'trialing', order: 'started_at' },
        }}
        pageRows={PAGE}
        columns={() => [
          { key: 'customer_name' },
          { key: 'plan_name', label: 'Plan' },
          { key: 'started_at', label: 'Started' },
          { key: 'trial_end', label: 'Ends' },
          { key: 'quantity', isNumber: true },
        ]}
        empty="No active trials."
      />
    </Page>
  )
}

/** One bar per stage; the last three stages add up to the first. */
function funnelSpec(row: Row | undefined, currency: string): ChartSpec | undefined {
  if (row === undefined || (numberIn(row, 'started') ?? 0) === 0) return undefined
  const labels = STAGES.map(({ label }) => label)
  const series = STAGES.map(({ key, label, colour }, at) => ({
    name: label,
    colour,
    values: STAGES.map((_, place) => (place === at ? numberIn(row, key) : null)),
  }))
  return { kind: 'waterfall', labels, series, totals: [0, 1, 2, 3], unit: 'count', currency }
}
