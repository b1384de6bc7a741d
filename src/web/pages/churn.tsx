import { Link } from '@tanstack/react-router'
import { withParams } from '../api/question.ts'
import { type Row, useAnswer } from '../api/use-answer.ts'
import { isAhead } from '../controls/ranges.ts'
import { useChangeSearch, usePage, useSearchState } from '../controls/use-page.ts'
import type { Window } from '../controls/windows.ts'
import { Card } from '../parts/card.tsx'
import { ChoiceTabs } from '../parts/choice-tabs.tsx'
import { groupKeys, narrowToGroups } from '../parts/drill-groups.ts'
import { comparedTo, Headline } from '../parts/headline.tsx'
import { Page } from '../parts/page.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { columnsOf, drillable } from '../parts/table.tsx'
import { namesOfFilters, useUnfitFilters } from '../parts/unfit-filters.ts'
import { lossOfCustomer } from './customer-drills.ts'
import { atRisk, lossDrill, periodName, riskDrill, spanOf } from './drills.ts'
import { partsOf } from './explore-figures.ts'

const TYPES = [
  { value: 'logo', label: 'Customers' },
  { value: 'revenue', label: 'Revenue' },
]

const COUNTRY = { by: 'customer_country', title: 'By country' }
const TENURE = { by: 'tenure_months', title: 'By tenure' }

/** Logo churn has no group by plan, because a customer with two plans would count twice. */
const PLACES = { logo: [COUNTRY, TENURE], revenue: [{ by: 'plan_id', title: 'By plan' }, COUNTRY, TENURE] }

/** Churned customers and churned MRR. */
export function Churn() {
  const page = usePage()
  const { audience, compareTo, compared, range, group, search, windows } = page
  const { rate, whole } = windows
  const change = useChangeSearch()
  const type = search.view === 'revenue' ? 'revenue' : 'logo'
  const measure = type === 'logo' ? 'logo_churn_rate' : 'revenue_churn_rate'
  const parts = partsOf(`${type}_churn`)
  const part = type === 'logo' ? 'churn_count' : 'revenue_lost'
  const lostDrill = (of: 'logo' | 'revenue', { query, name } = whole, field?: string) =>
    lossDrill(of, audience, query, name, field)
  const headline = (of: 'logo' | 'revenue') => {
    const question = ({ query }: Window) => ({ path: '/api/metrics/churn', query: { ...audience, ...query, type: of } }) as const
    return {
      question: question(rate),
      drill: lostDrill(of, rate),
      over: rate === whole ? [] : [{ name: whole.name, question: question(whole), drill: lostDrill(of) }],
    }
  }
  const groupDrill = (groups: readonly string[]) => (row: Row, field: string) =>
    narrowToGroups(lostDrill(type, whole, field), groups, row)
  const logo = headline('logo')
  // The headline asks the same question, so this sends no other request.
  const asked = withParams(logo.question, comparedTo(logo.question.query, compareTo))
  const { error } = useAnswer(isAhead(search) ? undefined : asked)
  const unfit = useUnfitFilters(error).filters
  const hasLogo = unfit.length === 0
  const reasons = groupKeys(search, 'cancel_reason')
  return (
    <Page
      title="Churn"
      lead="Customers and MRR lost, as a share of the start of the period."
      controls={{ metric: 'churn', groupsOf: type }}
      actions={
        <ChoiceTabs
          label="Churn type"
          value={type}
          choices={TYPES}
          onChoose={(view) => change({ view, dimensions: undefined })}
        />
      }
    >
      {!hasLogo && <LogoNotice filters={namesOfFilters(unfit)} isLinked={type === 'logo'} />}
      <div className="headlines">
        {hasLogo && <Headline label="Logo churn" field="logo_churn_rate" {...logo} />}
        <Headline label="Revenue churn" field="revenue_churn_rate" {...headline('revenue')} />
      </div>
      {type === 'logo' && !hasLogo ? (
        <AtRiskCard />
      ) : (
        <>
          <SeriesCard
            title={type === 'logo' ? 'Logo churn' : 'Revenue churn'}
            path="/api/metrics/churn"
            query={{ type }}
            measure={measure}
            kind={group === undefined ? 'bars' : 'line'}
            stepName="granularity"
            drillable={[measure, ...parts]}
            drill={({ audience, days, step }, period, field) =>
              lossDrill(type, audience, spanOf(period, step, days), periodName(period, step, days), field)
            }
          />
          <div className="columns">
            <Card
              title="By reason"
              question={{
                path: '/api/metrics/churn',
                query: { ...compared, ...range, type, dimensions: 'cancel_reason', order: `-${part}` },
              }}
              empty="No churn in this period."
              columns={(rows) => {
                const columns = drillable(columnsOf(rows), [measure, part], groupDrill(reasons))
                // All reasons have the same customers and MRR at the start.
                const before = groupDrill(groupKeys(search))
                return drillable(columns, parts.slice(1), before)
              }}
            />
            {PLACES[type].map(({ by, title }) => (
              <ChurnBy key={by} type={type} by={by} title={title} />
            ))}
            {type === 'logo' && <AtRiskCard />}
          </div>
          {type === 'revenue' && <AtRiskCard />}
          <LostCustomers type={type} />
        </>
      )}
    </Page>
  )
}

/** Says why there is no logo churn, and leads to revenue churn. */
function LogoNotice({ filters, isLinked }: { filters: string; isLinked: boolean }) {
  const search = useSearchState()
  return (
    <p className="notice">
      Logo churn counts whole customers, so a filter on {filters} does not apply.
      {isLinked && (
        <>
          {' '}
          See{' '}
          <Link to="." search={{ ...search, view: 'revenue', dimensions: undefined }}>
            Revenue
          </Link>
          .
        </>
      )}
    </p>
  )
}

const MOST_GROUPS = 10

interface ChurnByProps {
  readonly type: 'logo' | 'revenue'
  readonly title: string
  /** Dimension to group by. */
  readonly by: string
}

/** Churn by group, largest first, or by tenure in its natural order. Also shows the customers or MRR of the group at the start. */
function ChurnBy({ type, title, by }: ChurnByProps) {
  const { audience, range, windows } = usePage()
  const [measure, part, whole] =
    type === 'logo'
      ? (['logo_churn_rate', 'churn_count', 'active_at_start'] as const)
      : (['revenue_churn_rate', 'revenue_lost', 'start_mrr'] as const)
  const drill = (row: Row, field: string) =>
    narrowToGroups(lossDrill(type, audience, range, windows.whole.name, field), [by], row)
  return (
    <Card
      title={title}
      question={{
        path: '/api/metrics/churn',
        query: {
          ...audience,
          ...range,
          type,
          dimensions: by,
          order: by === TENURE.by ? by : `-${part}`,
          limit: MOST_GROUPS,
          rest: true,
        },
      }}
      empty="No customers or MRR at the start of this period."
      columns={() => [
        { key: by },
        ...drillable(
          [measure, part, whole].map((key) => ({ key, isNumber: true })),
          [measure, part, whole],
          drill,
        ),
      ]}
    />
  )
}

/** MRR of subscriptions that are cancelled and still active. */
function AtRiskCard() {
  const { audience } = usePage()
  return (
    <Card
      title="MRR at risk"
      question={atRisk(audience, 'plan_id')}
      lead={<p className="muted">Cancelled subscriptions that are still active, as of now.</p>}
      compareTo={null}
      columns={() => [{ key: 'plan_id' }, { key: 'mrr', isNumber: true, drill: (row) => riskDrill(audience, row) }]}
      empty="No cancelled subscription is still active."
    />
  )
}

const MOST_LISTED = 50

/** Churned customers, or customers with churned MRR. */
function LostCustomers({ type }: { type: 'logo' | 'revenue' }) {
  const { compared, range } = usePage()
  const drill = (of: 'detail' | 'revenue_events') => (row: Row, field: string) =>
    lossOfCustomer(row, of, { ...compared, ...range }, field)
  if (type === 'revenue')
    return (
      <Card
        title="Churned MRR by customer"
        question={{ path: '/api/metrics/churn/revenue-events', query: { ...compared, ...range, limit: MOST_LISTED } }}
        empty="No MRR churned in this period."
        columns={(rows) => drillable(columnsOf(rows), ['mrr_cents', 'events'], drill('revenue_events'))}
      />
    )
  return (
    <Card
      title="Churned customers"
      question={{
        path: '/api/metrics/churn/customers',
        query: { ...compared, ...range, order: '-churned_at,-churned_mrr_cents', limit: MOST_LISTED },
      }}
      pick={(rows) => rows.filter(({ churned_at }) => churned_at !== null)}
      columns={() =>
        drillable(
          [
            { key: 'customer_name' },
            { key: 'churned_at' },
            { key: 'cancel_reason' },
            { key: 'churned_mrr_cents', isNumber: true },
            { key: 'starting_mrr_cents', isNumber: true },
          ],
          ['churned_mrr_cents', 'starting_mrr_cents'],
          drill('detail'),
        )
      }
      unrated={{
        question: {
          path: '/api/metrics/churn/rows',
          query: { ...compared, ...range, measure: 'churn_count', limit: MOST_LISTED },
        },
        columns: [{ key: 'customer_name' }, { key: 'occurred_at', label: 'Churned on' }],
      }}
      empty="No customers churned in this period."
    />
  )
}
