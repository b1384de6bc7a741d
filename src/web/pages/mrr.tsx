import { withinSentence } from '../../core/label.ts'
import { filtersOf, withParams } from '../api/question.ts'
import { isMissingRate, useAnswer } from '../api/use-answer.ts'
import { isAhead } from '../controls/ranges.ts'
import { useChangeSearch, usePage } from '../controls/use-page.ts'
import { labelOf } from '../format/labels.ts'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { comparedTo, Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { movementsOf, mrrDrill, paidSubscriptions, usageMrrDrill } from './drills.ts'
import { figureDrill } from './explore-drill.ts'
import { MovementsCard, QuickRatioCard, WaterfallCard } from './movement-cards.tsx'
import { byCurrency, usePaidSubscriptions } from './unrated.ts'
import { WhyCard } from './why-card.tsx'

const FORMS = [
  { value: 'area', label: 'Stacked' },
  { value: 'line', label: 'Lines' },
]

/** Filters that the summary takes. The overview has no figures with others either. */
const OF_CUSTOMERS = /^(source|source_id|tenant|customer_\w+|cohort_month|customer\..+|attr\..+)=/

/** Monthly recurring revenue: level, groups, and why it changed. */
export function Mrr() {
  const page = usePage()
  const { audience, group, search, windows } = page
  const { level, month, rate, whole } = windows
  // Only MRR and its movements have a forecast.
  const isForecast = isAhead(search)
  const isOfCustomers = !isForecast && filtersOf(audience).every((filter) => OF_CUSTOMERS.test(filter))
  const change = useChangeSearch()
  const form = search.view === 'line' ? 'line' : 'area'
  return (
    <Page
      title="MRR"
      lead="Monthly recurring revenue, and what changed it."
      hasForecast
      controls={{ metric: 'mrr', groupsOf: 'series' }}
    >
      <div className="headlines">
        <Headline
          label="MRR"
          question={{ path: '/api/metrics/mrr', query: { ...audience, ...level.query } }}
          field="mrr"
          drill={figureDrill('mrr', page)}
        />
        <Headline
          label="ARR"
          question={{ path: '/api/metrics/arr', query: { ...audience, ...level.query } }}
          field="arr"
          drill={figureDrill('arr', page)}
        />
        {isOfCustomers && (
          <Headline
            label={labelOf('net_new_mrr_so_far')}
            question={{ path: '/api/metrics/summary', query: { ...audience, ...level.query } }}
            days={month.label}
            field="net_new_mrr_so_far"
            drill={movementsOf(month.query, month.name, audience)}
            over={(rate === whole ? [whole] : [rate, whole]).map(({ name, query }) => ({
              name,
              question: { path: '/api/metrics/summary', query: { ...audience, ...query } },
              field: 'net_new_mrr',
              drill: movementsOf(query, name, audience),
            }))}
          />
        )}
        {isOfCustomers && (
          <Headline
            label="Paying customers"
            question={{ path: '/api/metrics/summary', query: { ...audience, ...level.query } }}
            field="active_customers"
            drill={figureDrill('customers', page)}
            unrated={byCurrency(page)}
          />
        )}
        {isOfCustomers && <PaidSubscriptions />}
        {!isForecast && (
          <Headline
            label="Revenue per customer"
            question={{ path: '/api/metrics/ltv/arpu', query: { ...audience, ...level.query } }}
            field="arpu"
            drill={figureDrill('arpu', page)}
          />
        )}
      </div>
      <SeriesCard
        title={group === undefined ? 'MRR' : `MRR by ${withinSentence(labelOf(group))}`}
        path="/api/metrics/mrr"
        measure="mrr"
        empty="No MRR in this period."
        kind={form}
        controls={
          group !== undefined &&
          group !== 'currency' && (
            <ChoiceTabs
              label="Chart type"
              value={form}
              choices={FORMS}
              onChoose={(view) => change({ view }, { replace: true })}
            />
          )
        }
        drill={(state, period) => mrrDrill(state, period, audience)}
      />
      <div className="columns">
        <div className="stack">
          <MovementsCard />
          <WaterfallCard />
          {!isForecast && <UsageMrrCard />}
        </div>
        <div className="stack">
          {!isForecast && <WhyCard title="Why MRR changed" days={whole.query} when={whole.name} audience={audience} />}
          <QuickRatioCard />
          {isForecast && <UsageMrrCard />}
        </div>
      </div>
    </Page>
  )
}

function UsageMrrCard() {
  return (
    <SeriesCard
      title="Usage MRR"
      path="/api/metrics/mrr/components"
      measure="usage_mrr"
      kind="area"
      empty="No MRR in this period."
      drill={(state, period) => usageMrrDrill(state, period)}
    />
  )
}

/** The number of paid subscriptions, also without exchange rates. */
function PaidSubscriptions() {
  const page = usePage()
  const { audience, compareTo, windows } = page
  const { level } = windows
  const question = { path: '/api/metrics/summary', query: { ...audience, ...level.query } } as const
  // The headline asks the same question, so this sends no other request.
  const { error } = useAnswer(withParams(question, comparedTo(question.query, compareTo)))
  return (
    <Headline
      label="Paid subscriptions"
      question={question}
      field="active_subscriptions"
      drill={paidSubscriptions(audience, level)}
      counted={usePaidSubscriptions(page, isMissingRate(error))}
    />
  )
}
