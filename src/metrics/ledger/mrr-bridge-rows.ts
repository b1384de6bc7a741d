import { type Fragment, join, sql, value } from '../../compiler/fragment.ts'
import type { RowsByMeasure } from '../define-query.ts'
import { endingLevels } from '../mrr/counted.ts'
import {
  amountsOf,
  type CellContext,
  type CountedPart,
  type CountRows,
  inGroups,
  OF_SUBSCRIPTION,
  SUM,
} from '../readings/counted.ts'
import { kindsOf } from './counted.ts'
import { bookPeriods } from './days.ts'
import { bridgeRun } from './mrr-bridge.ts'
import { levelRun } from './revenue.ts'

type PartsOf = (cell: CellContext) => readonly CountedPart[]

/** The amounts that steps lie between. Each row is a subscription, or the charges of a customer without one. */
const ending =
  (component?: 'subscription' | 'usage'): PartsOf =>
  (cell) =>
    endingLevels(component && [component])(cell).parts.map((part) => ({
      ...part,
      // The other side of a step has no component, no rate and no state.
      fact: OF_SUBSCRIPTION,
      measure: {
        amount: part.measure.amount ?? sql`0`,
        amount_cents: part.measure.amount_cents ?? sql`0`,
      },
    }))

const mean =
  (name: 'agreed' | 'billed'): PartsOf =>
  (cell) => [
    {
      run: bridgeRun(cell, name),
      fact: OF_SUBSCRIPTION,
      measure: amountsOf(cell),
      where: inGroups(cell),
    },
  ]

/** Rates change no original amount. */
const rates: PartsOf = (cell) => [
  {
    run: bridgeRun(cell, 'rates'),
    fact: OF_SUBSCRIPTION,
    measure: {
      amount: cell.request.unit === 'base' ? sql`amount_base_cents` : sql`0`,
      amount_cents: sql`0`,
    },
    where: inGroups(cell),
  },
]

/** Revenue of charges in the month: all of it, for service days of the month, or for earlier ones. The day before the month has the index 0. */
const AMOUNTS = {
  all: (at: Fragment) => sql`case when day_index = 0 then -1 * ${at} else ${at} end`,
  of_days: (at: Fragment, before: Fragment) => sql`case when day_index = 0 then 0 else ${at} - ${before} end`,
  of_earlier_days: (at: Fragment, before: Fragment) => sql`case when day_index = 0 then -1 * ${at} else ${before} end`,
}

const revenue =
  (part: keyof typeof AMOUNTS, kinds: readonly string[] = []): PartsOf =>
  (cell) => {
    const amount_cents = AMOUNTS[part](sql`at_cents`, sql`before_cents`)
    const amount = cell.request.unit === 'base' ? AMOUNTS[part](sql`at_base_cents`, sql`before_base_cents`) : amount_cents
    const named = join(
      kinds.map((kind) => value(kind, 'text')),
      sql`, `,
    )
    return [
      {
        run: levelRun(cell, bookPeriods(cell.request.time)),
        fact: OF_SUBSCRIPTION,
        measure: { amount, amount_cents },
        where: [...inGroups(cell), ...(kinds.length === 0 ? [] : [sql`fact_kind in (${named})`])],
      },
    ]
  }

/** Of all of it, what is revenue, or what is other income. */
const ofRevenue =
  (of: 'revenue' | 'other_income'): PartsOf =>
  (cell) =>
    revenue('all')(cell).map((part) => ({ ...part, where: [...part.where, ...kindsOf(cell, of)] }))

/** The rows of a step: its end less its beginnings. */
function step(end: PartsOf, ...beginnings: readonly PartsOf[]): CountRows {
  return (cell) => ({
    kind: 'cents',
    parts: [...end(cell), ...beginnings.flatMap((parts) => parts(cell).map(negative))],
    total: SUM,
  })
}

function negative(part: CountedPart): CountedPart {
  const { amount = sql`0`, amount_cents = sql`0` } = part.measure
  return {
    ...part,
    measure: {
      ...part.measure,
      amount: sql`-1 * (${amount})`,
      amount_cents: sql`-1 * (${amount_cents})`,
    },
  }
}

const nothing: PartsOf = () => []

/** The rows behind the bridge from MRR to revenue (D97). */
export const MRR_BRIDGE_ROWS: RowsByMeasure = {
  mrr: endingLevels(),
  usage_component: step(nothing, ending('usage')),
  movements: step(mean('agreed'), ending('subscription')),
  billed_otherwise: step(mean('billed'), mean('agreed')),
  length_of_months: step(revenue('of_days', ['recurring']), rates, mean('billed')),
  catch_up: step(revenue('of_earlier_days', ['recurring'])),
  usage: step(revenue('all', ['usage'])),
  fixed_and_one_off: step(revenue('all', ['fixed', 'one_off'])),
  rates: step(rates),
  other_income: step(nothing, ofRevenue('other_income')),
  recognized: step(ofRevenue('revenue')),
}
