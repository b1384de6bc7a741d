import { fn, sql } from '../../compiler/fragment.ts'
import { type CellContext, type Counted, inGroups, SUM } from '../readings/counted.ts'
import { usageRun } from './read.ts'

/** Paid usage: a row is the charge of an item in one month of service. */
export function usageCharges(cell: CellContext): Counted {
  const amount = cell.request.unit === 'base' ? sql`amount_base_cents` : sql`amount_cents`
  return {
    kind: 'cents',
    parts: [
      {
        run: usageRun(cell, cell.request.dimensions),
        fact: {
          customer_key: sql`fact.customer_key`,
          subscription_id: sql`fact.subscription_id`,
          plan: sql`fact.plan`,
          currency: sql`fact.currency`,
          document_id: fn('text', sql`fact.charge_id`),
          occurred_at: sql`fact.paid_at`,
        },
        measure: { amount, amount_cents: sql`amount_cents`, fixed_on: sql`paid_on` },
        where: inGroups(cell),
      },
    ],
    total: SUM,
  }
}
