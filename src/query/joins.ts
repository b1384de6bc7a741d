import { type Fragment, join, relation, sql } from '../compiler/fragment.ts'

export type JoinName = 'customer' | 'subscription' | 'plan' | 'cohort' | 'cancellation' | 'customer_cancellation'

// Left joins, each to at most one row: `fact` stays the driving side on every planner and loses no row.
const JOINS: Readonly<Record<JoinName, Fragment>> = {
  customer: sql`
  left join ${relation('customer')} as customer on customer.customer_key = fact.customer_key`,
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
}

/** The named joins, each once, in a fixed order. */
export function compileJoins(names: Iterable<JoinName>): Fragment {
  const wanted = new Set(names)
  const order: readonly JoinName[] = ['customer', 'subscription', 'plan', 'cohort', 'cancellation', 'customer_cancellation']
  return join(
    order.filter((name) => wanted.has(name)).map((name) => JOINS[name]),
    sql` `,
  )
}
