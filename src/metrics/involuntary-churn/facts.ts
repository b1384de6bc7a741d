import { sql } from '../../compiler/fragment.ts'
import { InternalError } from '../../core/errors.ts'
import type { Period } from '../../core/periods.ts'
import { ratioOf, sumOf, times } from '../formula.ts'
import { optionsOf } from '../ledger/options.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { type CellContext, OF_MOVEMENT, OF_START_COHORT } from '../readings/counted.ts'
import { type Axis, defineFact, numberedBy } from '../readings/fact.ts'
import { liveOnly, startScope, windowOf } from '../readings/facts.ts'
import { periodRelation } from '../readings/periods.ts'

/** Customers that churned, of those live just before each period (D41). A row is a customer. */
const LOGO = defineFact({
  statement: (context, axis) => ({
    ...troubleRun('involuntary_churn/logo', context, axis, liveOnly(context.request)),
    inline: [periodRelation(axis.periods)],
  }),
  periodOf: numberedBy('period_index'),
  sums: {
    involuntary: { unit: 'count', column: 'involuntary_count', rows: () => churned('trouble_cause') },
    churned: { unit: 'count', column: 'churn_count', rows: () => churned('left_at') },
  },
})

/** MRR that the start cohort lost in each period (D44). A row is a movement. */
const REVENUE = defineFact({
  statement: (context, axis) => ({
    ...troubleRun('involuntary_churn/revenue', context, axis, { unit: context.request.unit, all_customers: false }),
    inline: [periodRelation(axis.periods)],
  }),
  periodOf: numberedBy('period_index'),
  gaps: 'within',
  sums: {
    involuntary: { unit: 'cents', column: 'involuntary_sum', rows: (cell) => lost(cell, 'involuntary_part') },
    churn: { unit: 'cents', column: 'churn_sum', rows: (cell) => lost(cell, 'churn_part') },
  },
})

function churned(column: 'trouble_cause' | 'left_at') {
  return {
    fact: { customer_key: sql`fact.customer_key` },
    measure: { amount: sql`1`, occurred_at: sql`left_at`, reason: sql`trouble_cause` },
    where: [column === 'left_at' ? sql`left_at is not null` : sql`trouble_cause is not null`],
  }
}

function lost(_: CellContext, column: 'involuntary_part' | 'churn_part') {
  const amount = column === 'churn_part' ? sql`churn_part` : sql`involuntary_part`
  return {
    fact: { ...OF_START_COHORT, ...OF_MOVEMENT, movement_type: sql`fact.movement_type` },
    measure: { amount, fixed_on: sql`fixed_on`, reason: sql`trouble_cause` },
    where: [sql`${amount} <> 0`],
  }
}

function troubleRun(
  template: string,
  context: MetricContext,
  { periods, dimensions }: Axis,
  params: TemplateRun['params'],
): TemplateRun {
  const scope = startScope(context, dimensions, () => false)
  const { net_terms, known_on } = optionsOf(context)
  return { template, slots: scope.slots, params: { ...params, net_terms, known_on }, window: windowOf(scope, spanOf(periods)) }
}

function spanOf(periods: readonly Period[]): { readonly from: Date; readonly to: Date } {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) throw new InternalError('a statement over no period')
  return { from: first.from, to: last.to }
}

const customers = sumOf(LOGO, 'involuntary')
const all = sumOf(LOGO, 'churned')
const mrr = times(-1, sumOf(REVENUE, 'involuntary'))
const lostMrr = times(-1, sumOf(REVENUE, 'churn'))

/** The share of the churned customers that did not pay (R28). */
export const OF_CUSTOMERS = { involuntary_share: ratioOf(customers, all), involuntary_count: customers, churn_count: all }

/** The share of the lost MRR of customers that did not pay (R28). */
export const OF_MRR = { involuntary_mrr_share: ratioOf(mrr, lostMrr), involuntary_lost: mrr, revenue_lost: lostMrr }
