import { sql, value } from '../../compiler/fragment.ts'
import { rangeTime } from '../../query/request.ts'
import { amountsOf, type CellContext, type Counted, type CountedPart, inGroups, ONCE, SUM } from '../readings/counted.ts'
import { cohortMonths } from '../readings/periods.ts'
import { paidRun } from './read.ts'

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
