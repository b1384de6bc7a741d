import { type Fragment, sql, value } from '../../compiler/fragment.ts'
import type { MovementType } from '../../core/enums.ts'
import { rangeTime } from '../../query/request.ts'
import { computed, ratioOf, rowsOf, sumOf } from '../formula.ts'
import type { MetricContext } from '../readings/context.ts'
import { OF_MOVEMENT, OF_START_COHORT, startRows } from '../readings/counted.ts'
import { defineFact, type FactSum, numberedBy } from '../readings/fact.ts'
import { startScope, windowOf } from '../readings/facts.ts'
import { periodRelation } from '../readings/periods.ts'

/** MRR of the start cohort just before each period, and its movements in the period (D45). `countsReturned`: reactivations are gains. */
function startCohort(countsReturned: (context: MetricContext) => boolean) {
  return defineFact({
    statement: (context, { periods, dimensions }) => {
      const scope = startScope(context, dimensions, () => false)
      return {
        template: 'retention/nrr',
        slots: scope.slots,
        params: { unit: context.request.unit, all_customers: false, counts_returned: countsReturned(context) },
        window: windowOf(scope, rangeTime(context.request)),
        inline: [periodRelation(periods)],
      }
    },
    periodOf: numberedBy('period_index'),
    gaps: 'within',
    sums: {
      start: { unit: 'cents', column: 'start_sum', rows: startRows },
      net: { unit: 'cents', column: 'net_sum' },
      gross: { unit: 'cents', column: 'gross_sum' },
      expansion: moved('expansion'),
      contraction: moved('contraction'),
      churn: moved('churn'),
      reactivation: { unit: 'cents', column: 'returned_sum', rows: () => movementRows('reactivation', sql`part`) },
      excluded: { unit: 'cents', column: 'returned_sum', rows: () => movementRows('reactivation', sql`returned - part`) },
      returned_unpriced: { unit: 'count', column: 'returned_unpriced_count' },
      returned_unrated: { unit: 'count', column: 'returned_unrated_count' },
    },
  })
}

/** Movements of one kind, not capped: a row is a movement. */
function moved(type: Exclude<MovementType, 'new' | 'reactivation'>): FactSum {
  return { unit: 'cents', column: `${type}_sum`, rows: () => movementRows(type, sql`part`) }
}

function movementRows(type: MovementType, amount: Fragment) {
  return {
    fact: { ...OF_START_COHORT, ...OF_MOVEMENT, movement_type: sql`fact.movement_type` },
    measure: { amount, fixed_on: sql`fixed_on` },
    where: [sql`kind = ${value(type, 'text')}`],
  }
}

/** True if MRR that returns by reactivation counts as a gain. */
function countsReturned({ definitions }: MetricContext): boolean {
  return definitions.nrr_reactivation === 'include'
}

const WITH_GROWTH = startCohort(countsReturned)
const WITHOUT_GROWTH = startCohort(() => false)

const cohort = (name: (typeof WITH_GROWTH.sums)[number]) => sumOf(WITH_GROWTH, name)
const start = cohort('start')
const reactivation = cohort('reactivation')
const excluded = cohort('excluded')

/** Net revenue retention and its parts (D45). */
export const NET = {
  retention_rate: ratioOf(cohort('net'), start),
  start_mrr: start,
  contraction: cohort('contraction'),
  churn: cohort('churn'),
  expansion: cohort('expansion'),
  reactivation: computed([reactivation], ([back], context) => (countsReturned(context) ? back : 0), rowsOf(reactivation)),
  reactivation_excluded: computed(
    [excluded, cohort('returned_unpriced'), cohort('returned_unrated')],
    ([back, unpriced, unrated], context) => (countsReturned(context) ? 0 : knownOnly(back, unpriced, unrated, context)),
    rowsOf(excluded),
  ),
}

// MRR that came back by reactivation and that no retention rate counts is null if a price or an exchange rate is missing. The gap does not
// fail the request.
function knownOnly(back: number, unpriced: number, unrated: number, { request, definitions }: MetricContext): number | null {
  const gaps = (request.unit === 'base' ? unrated : 0) + (definitions.allow_unpriced ? 0 : unpriced)
  return gaps > 0 ? null : back
}

/** Gross revenue retention and its parts (D45). Only growth can contain reactivations. */
export const GROSS = {
  retention_rate: ratioOf(sumOf(WITHOUT_GROWTH, 'gross'), sumOf(WITHOUT_GROWTH, 'start')),
  start_mrr: sumOf(WITHOUT_GROWTH, 'start'),
  contraction: sumOf(WITHOUT_GROWTH, 'contraction'),
  churn: sumOf(WITHOUT_GROWTH, 'churn'),
}
