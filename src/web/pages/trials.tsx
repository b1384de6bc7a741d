import { numberIn, type Row } from '../api/use-answer.ts'
import type { ChartSpec, Colour } from '../charts/spec.ts'
import { usePage } from '../controls/use-page.ts'
import { Card } from '../parts/card.tsx'
import { type Drill, useDrill } from '../parts/drill.tsx'
import { groupKeys } from '../parts/drill-groups.ts'
import { Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { columnsOf, drillable } from '../parts/table.tsx'
import { trialDrill } from './drills.ts'
import { figureDrill } from './explore-drill.ts'
import { ofRecords } from './open-invoices.tsx'

const STAGES: readonly { readonly key: string; readonly label: string; readonly colour: Colour }[] = [
  { key: 'started', label: 'Started', colour: 'total' },
  { key: 'converted', label: 'Converted', colour: 'movement-new' },
  { key: 'pending', label: 'In trial', colour: 'movement-other' },
  { key: 'expired', label: 'Expired', colour: 'movement-churn' },
]
const EMPTY = 'No trials started in this period. Plans without a trial phase never have any.'
const MOST = 50

/** Trials: started, converted, and currently active. */
export function Trials() {
  const page = usePage()
  const { audience, compared, range, search } = page
  const { open } = useDrill()
  const plans = groupKeys(search, 'plan_id')
  const started = figureDrill('trials', page)
  const inTrial = stageDrill(started, 'pending')
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
          drill={figureDrill('trial_conversion', page)}
        />
        <Headline
          label="Trials started"
          question={{ path: '/api/metrics/trials/funnel', query: { ...audience, ...range } }}
          field="started"
          drill={started}
        />
        <Headline
          label="In trial"
          question={{ path: '/api/metrics/trials/funnel', query: { ...audience, ...range } }}
          field="pending"
          good="neither"
          drill={inTrial}
        />
      </div>
      <div className="columns">
        <SeriesCard
          title="Conversion by start date"
          path="/api/metrics/trials/series"
          measure="conversion_rate"
          kind="line"
          empty={EMPTY}
          drillable={['conversion_rate', 'started', 'converted', 'expired']}
          drill={(state, period, field = 'started') => stageDrill(trialDrill(state, period), field)}
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
                onPick: (place) => {
                  const drill = stageDrill(started, STAGES[place]?.key ?? 'started')
                  if (drill !== undefined) open(drill)
                },
              }
            )
          }}
          columns={(rows) =>
            drillable(
              columnsOf(rows),
              STAGES.map(({ key }) => key),
              (_, key) => stageDrill(started, key),
            )
          }
        />
      </div>
      <Card
        title="By plan"
        question={{ path: '/api/metrics/trials', query: { ...compared, ...range, dimensions: 'plan_id', order: '-started' } }}
        empty={EMPTY}
        columns={(rows) =>
          drillable(
            columnsOf(rows),
            ['conversion_rate', 'decided_conversion_rate', ...STAGES.map(({ key }) => key)],
            (row, key) => stageDrill(figureDrill('trials', page, plans, row), key),
          )
        }
      />
      <Card
        title="Active trials"
        question={{
          path: '/api/subscriptions',
          query: { ...ofRecords(audience), status: 'trialing', order: 'started_at', limit: MOST },
        }}
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

/** The customers of a stage, from the funnel, which has all stages. A rate opens the started trials, of which it is a share. */
function stageDrill<Started extends Drill | undefined>(started: Started, key: string): Started | Drill {
  const stage = STAGES.find((one) => one.key === key)
  const question = started?.question
  if (question === undefined || stage === undefined) return started
  return {
    ...started,
    title: started?.title.replace(/^Trials started/, `Trials: ${stage.label.toLowerCase()}`) ?? stage.label,
    question: { ...question, path: '/api/metrics/trials/funnel' },
    fields: ['customer_name', ...STAGES.map((one) => one.key)],
    sum: key,
  }
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
  return { kind: 'waterfall', labels, series, totals: [0, 1, 2, 3], unit: 'count', currency, isLastRunning: false }
}
