import { ident, sql, value } from '../../compiler/fragment.ts'
import { LOGO_REASON_DIMENSION, REVENUE_REASON_DIMENSION } from '../../query/dimensions/movement.ts'
import type { Field } from '../../query/field.ts'
import { rangeTime } from '../../query/request.ts'
import {
  type CellContext,
  type Counted,
  type CountedPart,
  EACH,
  inGroups,
  justBefore,
  OF_MOVEMENT,
  OF_START_COHORT,
  ONCE,
  SUM,
} from '../readings/counted.ts'
import { ratioPeriods } from '../readings/periods.ts'
import { isEventField, logoRun, revenueRun, withoutEvents } from './rates.ts'

/** Customers live just before the range. The groups by event share them (http-api.md 1.6). */
export function activeAtStart(cell: CellContext): Counted {
  return customers(cell, false)
}

/** Customers live just before the range that churned in it. */
export function churnedCustomers(cell: CellContext): Counted {
  return customers(cell, true)
}

function customers(cell: CellContext, hasChurned: boolean): Counted {
  const part: CountedPart = {
    run: logoRun(
      cell,
      ratioPeriods(rangeTime(cell.request)),
      hasChurned ? withReason(cell, LOGO_REASON_DIMENSION) : cell.request.dimensions,
    ),
    fact: { customer_key: sql`fact.customer_key` },
    measure: { amount: sql`1`, ...(hasChurned ? { occurred_at: sql`left_at`, ...churnColumns(cell, 'logo') } : {}) },
    where: hasChurned
      ? [sql`left_at is not null`, sql`event_matched = 1`, ...inGroups(cell)]
      : inGroups(cell, (field) => !isEventField(field)),
  }
  return { kind: 'count', parts: [part], total: ONCE }
}

/** MRR just before the range, of the start cohort (D43): a row is a subscription. */
export function startMrr(cell: CellContext): Counted {
  return { kind: 'cents', parts: [startPart(cell, false)], total: SUM }
}

/** MRR lost by churn in the range, of the start cohort (D44): a row is a movement. */
export function revenueLost(cell: CellContext): Counted {
  return { kind: 'cents', parts: [lostPart(cell, false)], total: SUM }
}

/** The number of churn movements of the start cohort. */
export function churnEvents(cell: CellContext): Counted {
  return { kind: 'count', parts: [lostPart(cell, false)], total: EACH }
}

/** MRR just before the range of any customer. Filters on events do not apply, because the amounts cover the whole range. */
export function startMrrOfAll(cell: CellContext): Counted {
  return { kind: 'cents', parts: [startPart(withoutEvents(cell), true)], total: SUM }
}

/** MRR lost by churn in the range, of any customer. */
export function revenueLostOfAll(cell: CellContext): Counted {
  return { kind: 'cents', parts: [lostPart(withoutEvents(cell), true)], total: SUM }
}

function startPart(cell: CellContext, all_customers: boolean): CountedPart {
  return {
    run: cohortRun(cell, all_customers, cell.request.dimensions),
    fact: OF_START_COHORT,
    measure: { amount: sql`start_part`, fixed_on: sql`fixed_on`, after_at: justBefore(rangeTime(cell.request).from, cell) },
    where: [sql`start_part <> 0`, ...inGroups(cell, (field) => !isEventField(field))],
  }
}

function lostPart(cell: CellContext, all_customers: boolean): CountedPart {
  return {
    run: cohortRun(cell, all_customers, withReason(cell, REVENUE_REASON_DIMENSION)),
    fact: { ...OF_START_COHORT, ...OF_MOVEMENT, movement_type: sql`fact.movement_type` },
    measure: { amount: sql`-1 * churn_part`, fixed_on: sql`fixed_on`, ...churnColumns(cell, 'revenue') },
    where: [sql`churn_row = 1`, sql`event_matched = 1`, ...inGroups(cell)],
  }
}

function cohortRun(cell: CellContext, all_customers: boolean, dimensions: readonly Field[]): CountedPart['run'] {
  return revenueRun(cell, ratioPeriods(rangeTime(cell.request)), dimensions, all_customers)
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
