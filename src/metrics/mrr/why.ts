import { dayOf } from '../../core/periods.ts'
import { PLAN_DIMENSIONS } from '../../query/dimensions/plan.ts'
import { compareValues } from '../../query/order.ts'
import { rangeTime } from '../../query/request.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext, MetricResult } from '../readings/context.ts'
import { total } from '../readings/level-rows.ts'
import { readBoundaries, readEffects } from '../readings/levels.ts'
import { readMovements } from './movements.ts'
import { type Movement, readMovers } from './movers.ts'
import { changeSentences, leadingPlan, moverSentence, WHY_ANSWER, type WhyAnswer } from './why-answer.ts'

/** Movers in the answer by default. */
export const DEFAULT_MOVERS = 10

const PLAN = PLAN_DIMENSIONS.filter(({ key }) => key === 'plan_id')

/**
 * Explains the change of MRR over a range by kind of movement, by plan and by the largest movements. MRR that entered or left the
 * filters without a movement is `transfer` (D37). So the kinds add up to the change exactly.
 */
export async function answerWhy(context: MetricContext): Promise<MetricResult> {
  const time = rangeTime(context.request)
  const plans = await readPlans(context, time)
  const start_mrr = sumOf(plans.map(({ before }) => before))
  const end_mrr = sumOf(plans.map(({ after }) => after))
  const change = end_mrr - start_mrr
  // The sentences need the plans. Every movement has one plan, so this grouping does not change the totals by kind.
  const moved = await readMovements(byPlan(context), time)
  const movedBy = (type: string) => moved.filter((cell) => cell.type === type)
  const amountOf = (type: string) => sumOf(movedBy(type).map(({ amount }) => amount))
  const ratePart = (type: string) => sumOf(movedBy(type).map(({ rate_part }) => rate_part))
  const fx_effect = sumOf((await readEffects(context, time)).flatMap(({ levels }) => levels.map(total)))
  const movers = await readMovers(context, time, context.request.limit ?? DEFAULT_MOVERS)
  const currency = context.definitions.base_currency
  const figures: Omit<WhyAnswer, 'sentences'> = {
    start_mrr,
    end_mrr,
    change,
    by_movement: {
      new: amountOf('new'),
      expansion: amountOf('expansion'),
      contraction: amountOf('contraction'),
      churn: amountOf('churn'),
      reactivation: amountOf('reactivation'),
      transfer: change - sumOf(moved.map(({ amount }) => amount)) - fx_effect,
      fx_effect,
    },
    rate_parts: {
      expansion: ratePart('expansion'),
      contraction: ratePart('contraction'),
    },
    by_plan: plans
      .map(({ plan_id, before, after }) => ({
        plan_id,
        amount_base: after - before,
      }))
      .filter(({ amount_base }) => amount_base !== 0)
      .sort((a, b) => Math.abs(b.amount_base) - Math.abs(a.amount_base) || compareValues(a.plan_id, b.plan_id)),
    movers: movers.map((movement) => moverOf(movement, currency, context)),
  }
  const value = {
    ...figures,
    sentences: changeSentences(figures, (type) => leadingPlan(movedBy(type)), pastDays(time), currency),
  }
  return { kind: 'object', columns: Object.keys(WHY_ANSWER.shape), value }
}

/** The days of a range without those that have not begun, whose changes nobody knows. */
function pastDays({ start, end, to }: RangeTime): Pick<RangeTime, 'start' | 'end'> {
  const last = dayOf(new Date(to.getTime() - 1))
  return { start, end: start <= last && last < end ? last : end }
}

async function readPlans(context: MetricContext, time: RangeTime) {
  const groups = await readBoundaries(byPlan(context), time)
  return groups.map(({ values: [plan = null], levels: [before, after] }) => ({
    plan_id: plan === null ? null : String(plan),
    before: before === undefined ? 0 : total(before),
    after: after === undefined ? 0 : total(after),
  }))
}

function byPlan(context: MetricContext): MetricContext {
  return { ...context, request: { ...context.request, dimensions: PLAN } }
}

function moverOf(movement: Movement, currency: string, { calendar }: MetricContext): WhyAnswer['movers'][number] {
  const { reason: _reason, is_swap: _is_swap, ...shown } = movement
  return { ...shown, text: moverSentence(movement, currency, calendar) }
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}
