import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasTenants } from '../controls/tenant-menu.tsx'
import { usePage } from '../controls/use-page.ts'
import { Dash, Figure, Labelled } from '../format/figure.tsx'
import { valueLabel } from '../format/labels.ts'
import { Card } from '../parts/card.tsx'
import { type Drill, DrillButton } from '../parts/drill.tsx'
import { Instant } from '../parts/instant.tsx'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { SeriesCard } from '../parts/series-card.tsx'
import { Skeleton } from '../parts/states.tsx'
import { CustomerBilling } from './customer-billing.tsx'
import { CustomerAttributes, CustomerSegments } from './customer-details.tsx'
import { mrrOfCustomer, subscriptionsOfCustomer } from './customer-drills.ts'
import { CustomerTimeline } from './customer-timeline.tsx'
import { spanOf } from './drills.ts'

export type CustomerDetail = components['schemas']['CustomerDetail']

const HEIGHT = 640
/** Rows of a page of a list. */
const PAGE = 24

/** One customer: MRR, timeline, attributes, subscriptions, invoices. */
export function Customer() {
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['customer', id],
    queryFn: async ({ signal }) => (await client.get('/api/customers/{id}', { path: { id }, signal })).data,
  })
  if (error !== null)
    return (
      <Page title="Customer" isOfTenant={false}>
        <Problem error={error} onRetry={() => void refetch()} />
      </Page>
    )
  if (data === undefined) return <Skeleton height={HEIGHT} />
  return <Known customer={data} />
}

function Known({ customer }: { customer: CustomerDetail }) {
  const { currency } = usePage()
  const hasTenants = useHasTenants()
  const { id, name, email, status, external_key, admin_url } = customer
  const only = { filter: [`customer_id=${id}`] }
  return (
    <Page
      title={name ?? email ?? external_key ?? id}
      lead={
        <>
          <span className={`tag is-${status}`}>{valueLabel(status, 'status')}</span> {email}
          {email !== null && customer.country !== null && ' · '}
          {customer.country !== null && <Labelled value={customer.country} field="country" />}
          {hasTenants && ` · ${customer.tenant}`}
        </>
      }
      actions={
        admin_url !== null && (
          <a className="button" href={admin_url} target="_blank" rel="noreferrer">
            Open in the billing system <span aria-hidden="true">↗</span>
            <span className="visually-hidden">(new tab)</span>
          </a>
        )
      }
      hasForecast
      controls={{ metric: 'mrr', hasSegments: false, hasFilters: false }}
      isOfTenant={false}
    >
      <div className="headlines">
        <Fact label="Current MRR" drill={mrrOfCustomer(customer)}>
          <Figure
            value={customer.mrr_base_cents}
            unit="money"
            currency={currency}
            precise
            reason="A price or an exchange rate is missing."
          />
        </Fact>
        <Fact label="Live subscriptions" drill={subscriptionsOfCustomer(customer)}>
          {customer.live_subscriptions}
        </Fact>
        <Fact label={customer.churned_at === null ? 'Customer since' : 'Churned'}>
          <Instant text={customer.churned_at ?? customer.first_active_at ?? customer.created_at} />
        </Fact>
      </div>
      <SeriesCard
        title="MRR"
        path="/api/metrics/mrr"
        measure="mrr"
        kind="area"
        query={only}
        isGrouped={false}
        isCompared={false}
        isAlone
        isStep
        drill={({ days, step }, period) => mrrOfCustomer(customer, spanOf(period, step, days).end)}
        empty="No MRR in this period."
      />
      <div className="columns">
        <CustomerTimeline customer={customer} />
        <div className="stack">
          <CustomerBilling customer={customer} />
          <CustomerAttributes customer={customer} />
          <CustomerSegments id={id} />
          <section className="card" aria-label="Account">
            <h2>Account</h2>
            <dl className="facts">
              <dt>ID</dt>
              <dd>
                <code>{id}</code>
              </dd>
              <dt>External key</dt>
              <dd>{external_key ?? <Dash reason="The account has no external key." />}</dd>
              <dt>Currency</dt>
              <dd>{customer.currency ?? <Dash reason="The account has no currency." />}</dd>
              <dt>Created</dt>
              <dd>
                <Instant text={customer.created_at} hasTime />
              </dd>
            </dl>
          </section>
        </div>
      </div>
      <Card
        title="Subscriptions"
        question={{ path: '/api/subscriptions', query: { customer_id: id } }}
        pageRows={PAGE}
        columns={() => SUBSCRIPTION}
        empty="No subscriptions."
      />
      <Card
        title="Invoices"
        question={{ path: '/api/invoices', query: { customer_id: id } }}
        pageRows={PAGE}
        columns={() => INVOICE}
        empty="No invoices."
      />
    </Page>
  )
}

const SUBSCRIPTION = [
  { key: 'plan_name', label: 'Plan' },
  { key: 'status' },
  { key: 'quantity', isNumber: true },
  { key: 'mrr_base_cents', isNumber: true },
  { key: 'started_at', label: 'Started' },
  { key: 'charged_through' },
  { key: 'ended_at', label: 'Ended' },
  { key: 'cancel_reason' },
]

const INVOICE = [
  { key: 'number' },
  { key: 'status' },
  { key: 'invoice_date', label: 'Date' },
  { key: 'total_cents', label: 'Total', isNumber: true },
  { key: 'amount_paid_cents', label: 'Paid', isNumber: true },
  { key: 'balance_cents', label: 'Due', isNumber: true },
]

function Fact({ label, drill, children }: { label: string; drill?: Drill | undefined; children: React.ReactNode }) {
  return (
    <section className="headline">
      <h2 className="headline-label">{label}</h2>
      <p className="headline-value">{drill === undefined ? children : <DrillButton drill={drill}>{children}</DrillButton>}</p>
    </section>
  )
}
