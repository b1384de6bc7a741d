import { type Fragment, sql } from '../../compiler/fragment.ts'
import { type CellContext, type Counted, inGroups, ONCE } from '../readings/counted.ts'
import { trialRun } from './read.ts'

const ALL = sql`1 = 1`
const WON = sql`won_at is not null`
const LOST = sql`lost_at is not null`
const OPEN = sql`won_at is null and lost_at is null`

/** Trials that began in the range, by outcome: a row is a trial. */
export const TRIALS = {
  started: trials(ALL, sql`fact.started_at`),
  converted: trials(WON, sql`fact.converted_at`),
  expired: trials(LOST, sql`fact.expired_at`),
  pending: trials(OPEN, sql`fact.started_at`),
}

function trials(outcome: Fragment, occurred_at: Fragment) {
  return (cell: CellContext): Counted => ({
    kind: 'count',
    parts: [
      {
        run: trialRun(cell),
        fact: {
          customer_key: sql`fact.customer_key`,
          subscription_id: sql`fact.subscription_id`,
          occurred_at,
          before_at: occurred_at,
          after_at: occurred_at,
        },
        measure: { amount: sql`1` },
        where: [outcome, ...inGroups(cell)],
      },
    ],
    total: ONCE,
  })
}
