import { type Fragment, join, relation, sql } from '../compiler/fragment.ts'

/** Names of joins in the order of a statement. A later join may refer to an earlier one. */
const ORDER = [
  'segment',
  'customer',
  'tenant',
  'attribute',
  'subscription',
  'plan',
  'cohort',
  'cancellation',
  'customer_cancellation',
  'life',
  'trial',
  'reason',
] as const

export type JoinName = (typeof ORDER)[number]

// Each is a left join to at most one row, so that every planner starts from `fact` and no row is lost. Only `segment` drops rows.
// In a comparison of segments it repeats a row for each compared segment that contains the customer.
const JOINS: Readonly<Record<JoinName, Fragment>> = {
  segment: sql`
  join ${relation('segment_member')} as seg on seg.customer_key = fact.customer_key`,
  customer: sql`
  left join ${relation('customer')} as customer on customer.customer_key = fact.customer_key`,
  tenant: sql`
  left join ${relation('tenant')} as tenant on tenant.source_id = customer.source_id`,
  attribute: sql`
  left join ${relation('attribute_value')} as valued on valued.customer_key = fact.customer_key`,
  subscription: sql`
  left join ${relation('subscription')} as subscription on subscription.subscription_id = fact.subscription_id`,
  plan: sql`
  left join ${relation('plan')} as plan on plan.plan_key = fact.plan_key`,
  cohort: sql`
  left join ${relation('cohort')} as cohort on cohort.customer_key = fact.customer_key`,
  cancellation: sql`
  left join ${relation('cancellation')} as cancellation on cancellation.subscription_id = fact.ended_id
    and cancellation.effective_at = fact.occurred_at`,
  customer_cancellation: sql`
  left join ${relation('cancellation')} as customer_cancellation on customer_cancellation.customer_key = fact.customer_key
    and customer_cancellation.effective_at = fact.churned_at and customer_cancellation.is_last = true`,
  life: sql`
  left join ${relation('subscription_life')} as life on life.subscription_id = fact.subscription_id`,
  trial: sql`
  left join ${relation('trial')} as trial on trial.subscription_id = fact.subscription_id`,
  reason: sql`
  left join ${relation('cancellation')} as reason on reason.subscription_id = fact.subscription_id
    and reason.effective_at = case when life.end_reason in ('cancel', 'base_end') then life.ended_at
      when life.ended_at is null then subscription.cancel_at end`,
}

/** The named joins, each once, in a fixed order. */
export function compileJoins(names: Iterable<JoinName>): Fragment {
  const wanted = new Set(names)
  return join(
    ORDER.filter((name) => wanted.has(name)).map((name) => JOINS[name]),
    sql` `,
  )
}
