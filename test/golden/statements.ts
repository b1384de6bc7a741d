import { allOf, anyOf, type Kept, segmentId } from '../support/product/store-with-segments.ts'

type Params = Readonly<Record<string, string>>
type Spec = Readonly<Record<string, unknown>>

/** A query whose compiled statements are kept. */
export interface KeptStatement {
  /** Name of the files, before `.<dialect>.sql`. */
  readonly name: string
  /** The purpose of the file. */
  readonly purpose: string
  readonly metric: string
  readonly params: Params
  readonly spec?: Spec
}

const MARCH = { start: '2025-03-01', end: '2025-03-31' }

const EVERY_KIND: Spec = {
  dimensions: ['plan_id', 'customer_country', 'cohort_month', 'mrr_band', 'pending_cancellation'],
  filters: {
    currency: ['EUR', 'USD'],
    customer_name: { contains: 'a_b', is_not_empty: true },
    customer_created_month: { between: ['2024-01-01', '2025-02-01'] },
    plan_interval: { 'not in': ['day', 'week'] },
  },
}

const GOLD = segmentId(1)
const YEARLY = segmentId(2)

/** The contents of the store for the statements. */
export const STORED: Kept = {
  attributes: { tier: { type: 'string', values: [] } },
  segments: {
    [GOLD]: allOf({ field: 'attr.tier', op: '=', value: 'gold' }, { field: 'customer.country', op: 'in', value: ['DE', 'AT'] }),
    [YEARLY]: anyOf({ field: 'subscription.plan_interval', op: '=', value: 'year' }, { field: 'attr.tier', op: 'is_empty' }),
  },
}

/** One line each; run with UPDATE_GOLDEN=1 to write the files. */
export const KEPT: readonly KeptStatement[] = [
  { name: 'mrr', purpose: 'The smallest scope: one relation, no slot filled', metric: 'mrr', params: { at: '2025-03-31' } },
  {
    name: 'mrr_sliced',
    purpose: 'Every kind of dimension and filter',
    metric: 'mrr',
    params: { at: '2025-03-31' },
    spec: EVERY_KIND,
  },
  {
    name: 'mrr_breakdown',
    purpose: 'Movements derived from spans',
    metric: 'mrr',
    params: { query_type: 'breakdown', ...MARCH },
  },
  {
    name: 'mrr_compared',
    purpose: 'Two segments over one scan: the attribute joined once, the plan looked at once',
    metric: 'mrr',
    params: { at: '2025-03-31' },
    spec: { compare: [GOLD, YEARLY] },
  },
  { name: 'churn', purpose: 'Logo churn: activity derived from spans', metric: 'churn', params: { type: 'logo', ...MARCH } },
  {
    name: 'retention',
    purpose: 'The cohort matrix: cohorts derived from spans',
    metric: 'retention',
    params: MARCH,
  },
  {
    name: 'ltv_cohort',
    purpose: 'Paid invoices at the rate of their day',
    metric: 'ltv',
    params: { query_type: 'cohort', ...MARCH },
  },
  { name: 'trials', purpose: 'The funnel of trials', metric: 'trials', params: MARCH },
  { name: 'usage_revenue', purpose: 'Usage charges', metric: 'usage_revenue', params: MARCH },
]
