import { type Fragment, sql, value } from '../../compiler/fragment.ts'
import { rangeTime } from '../../query/request.ts'
import {
  type CellContext,
  type Counted,
  type CountedPart,
  inGroups,
  justBefore,
  OF_SUBSCRIPTION,
  ONCE,
  SUM,
} from '../readings/counted.ts'
import { knownMonths } from '../readings/periods.ts'
import { cohortRun } from './read.ts'
import { revenueRun } from './revenue-matrix.ts'

/** Customers of the cell's cohort. */
export function cohortSize(cell: CellContext): Counted {
  return cohortCustomers(cell, cell.keys['cohort_month'])
}

/** Customers of the cell's cohort that are live at the end of its active month. */
export function activeCount(cell: CellContext): Counted {
  return cohortCustomers(cell, cell.keys['active_month'])
}

/** Customers of the cell's cohort that are not live at the end of its active month: none of their rows is of that month. */
export function leftCount(cell: CellContext): Counted {
  const { cohort_month, active_month } = cell.keys
  const isActive = inMonth(cell, active_month)
  const amount = sql`case when ${isActive} then 0 else 1 end`
  const isCounted = sql`(${inMonth(cell, cohort_month)} or ${isActive})`
  return { kind: 'count', parts: [customersOf(cell, amount, isCounted)], total: sql`min(amount)` }
}

function cohortCustomers(cell: CellContext, month: string | undefined): Counted {
  return { kind: 'count', parts: [customersOf(cell, sql`1`, inMonth(cell, month))], total: ONCE }
}

function customersOf(cell: CellContext, amount: Fragment, isCounted: Fragment): CountedPart {
  return {
    run: cohortRun(cell, knownMonths(rangeTime(cell.request))),
    fact: { customer_key: sql`fact.customer_key` },
    measure: { amount },
    where: [sql`member_month = ${value(cell.keys['cohort_month'] ?? null, 'date')}`, isCounted, ...inGroups(cell)],
  }
}

function inMonth(cell: CellContext, month: string | undefined): Fragment {
  const index = knownMonths(rangeTime(cell.request)).findIndex(({ period }) => period === month)
  return sql`period_index = ${value(index, 'integer')}`
}

/** MRR of the cell's cohort at the end of its active month: a row is a subscription. */
export function cohortMrr(cell: CellContext): Counted {
  return cohortSpans(cell, cell.keys['active_month'])
}

/** MRR of the cell's cohort at the end of its first month: a row is a subscription. */
export function cohortStart(cell: CellContext): Counted {
  return cohortSpans(cell, cell.keys['cohort_month'])
}

function cohortSpans(cell: CellContext, month: string | undefined): Counted {
  const { to } = rangeTime(cell.request)
  const months = knownMonths(rangeTime(cell.request))
  const last = months.find(({ period }) => period === month)
  const part: CountedPart = {
    run: revenueRun(cell, months),
    fact: OF_SUBSCRIPTION,
    measure: { amount: sql`part`, after_at: justBefore(last?.to ?? to, cell) },
    where: [
      sql`member_month = ${value(cell.keys['cohort_month'] ?? null, 'date')}`,
      inMonth(cell, month),
      sql`part <> 0`,
      ...inGroups(cell),
    ],
  }
  return { kind: 'cents', parts: [part], total: SUM }
}
