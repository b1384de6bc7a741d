import { type Fragment, sql } from '../../compiler/fragment.ts'
import { ratio } from '../../core/money.ts'
import { dayOf } from '../../core/periods.ts'
import { inSlices } from '../../core/slices.ts'
import { dayCell, integerCell } from '../../ports/cells.ts'
import { dimensionValue } from '../../query/dimension-value.ts'
import { type FactContext, readsSpans } from '../../query/field.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import { pointAt } from '../../query/timeframe.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { type CellContext, type Counted, inGroups, ONCE } from '../readings/counted.ts'
import { factOf, liveOnly, windowOf } from '../readings/facts.ts'
import { tallyGroups } from '../readings/groups.ts'
import { bucketSlots, bucketStep, ratioPeriods } from '../readings/periods.ts'

/** Trials of one group and period by outcome. */
interface TrialCounts {
  started: number
  converted: number
  expired: number
}

/** Trials begun in the range, by group and period, with their outcomes up to now (D58, I13). Without an interval there is one period. */
export async function readTrials(context: MetricContext) {
  const { dimensions } = context.request
  const time = rangeTime(context.request)
  const periods = ratioPeriods(time)
  if (periods.length === 0) return []
  const tally = tallyGroups<TrialCounts>(
    periods.length,
    () => ({
      started: 0,
      converted: 0,
      expired: 0,
    }),
    context,
  )
  const rows = await context.run(trialRun(context))
  const slotOf = bucketSlots(time)
  for await (const row of inSlices(rows)) {
    const values = dimensions.map((field) => dimensionValue(row, field))
    const counts = tally.of(values, slotOf(dayCell(row, 'bucket')) - 1)
    if (counts === undefined) continue
    counts.started += integerCell(row, 'started_count')
    counts.converted += integerCell(row, 'converted_count')
    counts.expired += integerCell(row, 'expired_count')
  }
  return tally.groups().map(({ values, periods: counts }) => ({
    values,
    measures: counts.map(withOutcome),
  }))
}

/** The statement of the trials that began in the range. */
function trialRun(context: MetricContext): TemplateRun {
  const { dimensions, conditions } = context.request
  const time = rangeTime(context.request)
  const scope = compileScope(dimensions, conditions, trialFact(context))
  return {
    template: readsSpans(fieldsOf(context.request)) ? 'trials/funnel_by_plan' : 'trials/funnel',
    slots: scope.slots,
    params: { start: time.from, end: time.to, step: bucketStep(time.interval), ...liveOnly(context.request) },
    // The outcome, and the first activity of the customer, may come after the range.
    window: windowOf(scope, { from: time.from, to: pointAt(dayOf(context.now), context.now).before }),
  }
}

function withOutcome({ started, converted, expired }: TrialCounts) {
  const pending = started - converted - expired
  const conversion_rate = ratio(converted, started)
  const decided_conversion_rate = ratio(converted, converted + expired)
  return {
    started,
    converted,
    expired,
    pending,
    conversion_rate,
    decided_conversion_rate,
  }
}

/** Trials. Dimensions have their values at the start of the subscription (D61). */
function trialFact(context: MetricContext): FactContext {
  return factOf(context, {
    fact: 'movement',
    instant: sql`fact.began_at`,
    isBefore: sql`1 = 0`,
  })
}

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
