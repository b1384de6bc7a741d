import { sql, value } from '../../compiler/fragment.ts'
import { rangeTime } from '../../query/request.ts'
import { pointAt } from '../../query/timeframe.ts'
import {
  amountsOf,
  type CellContext,
  type Counted,
  type CountedPart,
  inGroups,
  justBefore,
  OF_SUBSCRIPTION,
  ONCE,
  SUM,
} from '../readings/counted.ts'
import { cohortMonths } from '../readings/periods.ts'
import { paidRun, payingRun } from './read.ts'

/** MRR of the paying customers: a row is the span of a subscription. */
export function payingMrr(cell: CellContext): Counted {
  return { kind: 'cents', parts: [payingPart(cell)], total: SUM }
}

/** Customers with MRR above 0. */
export function payingCustomers(cell: CellContext): Counted {
  const part = payingPart(cell)
  const { subscription_id: _, ...fact } = part.fact
  const { after_at: __, ...measure } = part.measure
  return { kind: 'count', parts: [{ ...part, fact, measure }], total: sql`case when sum(amount) > 0 then 1 else 0 end` }
}

function payingPart(cell: CellContext): CountedPart {
  const { time, at } = cell.request
  const before = time.kind === 'point' ? time.before : at === undefined ? time.to : pointAt(at, cell.now).before
  return {
    run: payingRun(cell, [before]),
    fact: OF_SUBSCRIPTION,
    measure: { amount: sql`amount`, fixed_on: sql`fixed_on`, after_at: justBefore(before, cell) },
    where: inGroups(cell),
  }
}

/** Customers of the cell's cohort. */
export function cohortCustomers(cell: CellContext): Counted {
  const part = cohortPart(cell)
  return {
    kind: 'count',
    parts: [
      {
        ...part,
        fact: { customer_key: sql`fact.customer_key` },
        measure: { amount: sql`1` },
        where: [...part.where, sql`is_payment = 0`],
      },
    ],
    total: ONCE,
  }
}

/** Payments of the cell's cohort in the range: a row is an invoice. */
export function cohortRevenue(cell: CellContext): Counted {
  const part = cohortPart(cell)
  return { kind: 'cents', parts: [{ ...part, where: [...part.where, sql`is_payment = 1`, sql`event_matched = 1`] }], total: SUM }
}

function cohortPart(cell: CellContext): CountedPart {
  return {
    run: paidRun(cell, cohortMonths(rangeTime(cell.request))),
    fact: {
      customer_key: sql`fact.customer_key`,
      currency: sql`fact.currency`,
      document_id: sql`fact.invoice_id`,
      occurred_at: sql`fact.paid_at`,
    },
    measure: { ...amountsOf(cell), fixed_on: sql`paid_on` },
    where: [sql`member_month = ${value(cell.keys['cohort_month'] ?? null, 'date')}`, ...inGroups(cell)],
  }
}
