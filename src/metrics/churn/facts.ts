import { ident, sql, value } from '../../compiler/fragment.ts'
import { InternalError } from '../../core/errors.ts'
import type { Period } from '../../core/periods.ts'
import { integerCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { LOGO_REASON_DIMENSION, REVENUE_REASON_DIMENSION } from '../../query/dimensions/movement.ts'
import type { Field } from '../../query/field.ts'
import { ratioOf, sumOf, times } from '../formula.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { type CellContext, EACH, OF_MOVEMENT, OF_START_COHORT, startRows } from '../readings/counted.ts'
import { type Axis, defineFact, numberedBy } from '../readings/fact.ts'
import { liveOnly, startScope, windowOf } from '../readings/facts.ts'
import { periodRelation } from '../readings/periods.ts'

/** True for fields that split and narrow only the numerator (http-api.md 1.6). */
function isEventField(field: Field): boolean {
  return ['churn_type', 'cancel_reason', 'occurred_at'].includes(field.key)
}

/** Customers live just before each period, and those of them that churned in it (D41). A row is a customer. */
const LIVE = defineFact({
  statement: logoRun,
  periodOf: numberedBy('period_index'),
  isEventField,
  makesGroup: madeBy('churn_count'),
  sums: {
    churned: {
      unit: 'count',
      column: 'churn_count',
      isEvent: true,
      rows: (cell) => ({
        fact: { customer_key: sql`fact.customer_key` },
        measure: { amount: sql`1`, occurred_at: sql`left_at`, ...churnColumns(cell, 'logo') },
        where: [sql`left_at is not null`],
        dimensions: withReason(cell, LOGO_REASON_DIMENSION),
      }),
    },
    live: {
      unit: 'count',
      column: 'active_count',
      rows: () => ({ fact: { customer_key: sql`fact.customer_key` }, measure: { amount: sql`1` } }),
    },
  },
})

/** MRR of the start cohort just before each period, and its churn in it (D43, D44); or of all customers. */
function startMrr(all_customers: boolean) {
  return defineFact({
    // Of all customers the amounts cover the whole range; filters on events only select the churn that a row shows.
    statement: (context, axis) => revenueRun(all_customers ? withoutEvents(context) : context, axis, all_customers),
    periodOf: numberedBy('period_index'),
    gaps: 'within',
    isEventField,
    makesGroup: madeBy('churn_rows'),
    sums: {
      /** Negative. A row is a movement. */
      churn: { unit: 'cents', column: 'churn_sum', isEvent: true, rows: lostRows },
      events: { unit: 'count', column: 'churn_rows', isEvent: true, rows: (cell) => ({ ...lostRows(cell), total: EACH }) },
      start: { unit: 'cents', column: 'start_sum', rows: startRows },
    },
  })
}

function lostRows(cell: CellContext) {
  return {
    fact: { ...OF_START_COHORT, ...OF_MOVEMENT, movement_type: sql`fact.movement_type` },
    measure: { amount: sql`churn_part`, fixed_on: sql`fixed_on`, ...churnColumns(cell, 'revenue') },
    where: [sql`churn_row = 1`],
    dimensions: withReason(cell, REVENUE_REASON_DIMENSION),
  }
}

const COHORT = startMrr(false)
const EVERYBODY = startMrr(true)

const churned = sumOf(LIVE, 'churned')
const live = sumOf(LIVE, 'live')
const lost = times(-1, sumOf(COHORT, 'churn'))
const start = sumOf(COHORT, 'start')

/** Logo churn: customers, of those live just before the period, that churned in it (D41). */
export const LOGO_CHURN = { logo_churn_rate: ratioOf(churned, live), churn_count: churned, active_at_start: live }

/** Revenue churn: MRR lost by churn as a share of the start cohort's MRR, not capped (D44). */
export const REVENUE_CHURN = { revenue_churn_rate: ratioOf(lost, start), revenue_lost: lost, start_mrr: start }

/** MRR that the start cohort lost, and the number of its churn movements. */
export const LOST = { mrr_cents: lost, events: sumOf(COHORT, 'events') }

/** The same of all customers, with or without MRR at the start. */
export const OF_ALL = { churned_mrr_cents: times(-1, sumOf(EVERYBODY, 'churn')), starting_mrr_cents: sumOf(EVERYBODY, 'start') }

// A group by cancel reason exists only if it has events.
function madeBy(events: string) {
  return (row: Row, dimensions: readonly Field[]) =>
    !dimensions.some(({ key }) => key === 'cancel_reason') ||
    (integerCell(row, 'event_matched') === 1 && integerCell(row, events) > 0)
}

/** The statement of the customers live just before each period. */
export function logoRun(context: MetricContext, { periods, dimensions }: Axis): TemplateRun {
  const scope = startScope(context, dimensions, isEventField)
  const fields = [...dimensions, ...context.request.conditions.map(({ field }) => field)]
  return {
    template: fields.some(({ key }) => key === 'currency') ? 'churn/logo_by_currency' : 'churn/logo',
    slots: scope.slots,
    params: liveOnly(context.request),
    window: windowOf(scope, spanOf(periods)),
    inline: [periodRelation(periods)],
  }
}

function revenueRun(context: MetricContext, { periods, dimensions }: Axis, all_customers: boolean): TemplateRun {
  const scope = startScope(context, dimensions, isEventField)
  return {
    template: 'churn/revenue',
    slots: scope.slots,
    params: { unit: context.request.unit, all_customers },
    window: windowOf(scope, spanOf(periods)),
    inline: [periodRelation(periods)],
  }
}

function spanOf(periods: readonly Period[]): { readonly from: Date; readonly to: Date } {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) throw new InternalError('a statement over no period')
  return { from: first.from, to: last.to }
}

/** The dimensions of a cell and the reason of a cancellation, if the connector supplies it. */
function withReason(cell: CellContext, reason: Field): readonly Field[] {
  const { dimensions } = cell.request
  return dimensions.includes(reason) || !hasReasons(cell) ? dimensions : [...dimensions, reason]
}

/** Kind and reason of a churn, as its groups have them (D46). */
function churnColumns(cell: CellContext, type: 'logo' | 'revenue') {
  const churn_type = value(type, 'text')
  return hasReasons(cell) ? { churn_type, cancel_reason: ident(LOGO_REASON_DIMENSION.column) } : { churn_type }
}

function hasReasons(cell: CellContext): boolean {
  return cell.isSupplied('cancellation')
}

function withoutEvents(context: MetricContext): MetricContext {
  const conditions = context.request.conditions.filter(({ field }) => !isEventField(field))
  return { ...context, request: { ...context.request, conditions } }
}
