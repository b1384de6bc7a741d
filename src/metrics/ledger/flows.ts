import { dayBefore, dayStart } from '../../core/periods.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import type { MetricContext } from '../readings/context.ts'
import type { PeriodGroup } from '../readings/groups.ts'
import { bookPeriods } from './days.ts'
import { type Flows, noFlows, readFlows } from './entries.ts'
import { optionsOf } from './options.ts'
import { readBalances } from './receivables.ts'

/** Receivables and bad debt of a group at the ends of days. */
interface Levels {
  readonly receivables: readonly number[]
  readonly bad_debt: readonly number[]
}

/** Receivables and bad debt at the ends of days, by group. */
export async function readOpen(context: MetricContext, days: readonly string[]): Promise<ReadonlyMap<string, Levels>> {
  const width = optionsOf(context).buckets.length + 2
  const groups = await readBalances(context, days)
  const added = (values: readonly number[]) => days.map((_, day) => sum(values.slice(day * width, (day + 1) * width)))
  return new Map(
    groups.map(({ values, periods }) => [
      JSON.stringify(values),
      {
        receivables: added(periods.map(({ balance }) => balance)),
        bad_debt: added(periods.map(({ written_off }) => written_off)),
      },
    ]),
  )
}

/** Movements of receivables in each period (J5). In base currency, the difference of rates is a movement, too (R24). */
export async function readMovements(context: MetricContext) {
  const periods = bookPeriods(context.request.time)
  const [first] = periods
  if (first === undefined) return []
  const days = [dayBefore(dayStart(first.first)), ...periods.map(({ last }) => last)]
  const open = await readOpen(context, days)
  const { groups } = await readFlows(context, periods)
  return groups.map(({ values, periods: flows }) => {
    const levels = open.get(JSON.stringify(values))
    return {
      values,
      measures: periods.map((_, index) => movementOf(flows[index + 1] ?? noFlows(), levels, index)),
    }
  })
}

function movementOf(flows: Flows, levels: Levels | undefined, index: number) {
  const opening_receivables = levels?.receivables[index] ?? 0
  const closing_receivables = levels?.receivables[index + 1] ?? 0
  const written_off = (levels?.bad_debt[index + 1] ?? 0) - (levels?.bad_debt[index] ?? 0)
  const { billed, adjusted, tax, credits_granted, credits_issued, credits_applied, transferred, suspense } = flows
  const moved = sum([billed, adjusted, tax, credits_granted, credits_issued, credits_applied, transferred, suspense])
  const paid = sum([flows.collected, flows.refunded, flows.charged_back])
  return {
    opening_receivables,
    billed,
    adjusted,
    tax,
    credits_granted,
    credits_issued,
    credits_applied,
    transferred,
    suspense,
    collected: 0 - flows.collected,
    refunded: 0 - flows.refunded,
    charged_back: 0 - flows.charged_back,
    written_off,
    fx_difference: closing_receivables - opening_receivables - moved - paid + written_off,
    closing_receivables,
  }
}

/** Cash in each period (R19). */
export async function readCash(context: MetricContext) {
  return flowsOf(context, (flows) => {
    const [collected, refunded, charged_back] = [0 - flows.collected, 0 - flows.refunded, 0 - flows.charged_back]
    return { collected, refunded, charged_back, net: collected + refunded + charged_back }
  })
}

/** Customer credit in each period (R20). */
export async function readCredits(context: MetricContext) {
  return flowsOf(context, ({ credits_issued, credits_applied, credits_granted }, before) => {
    const opening_credits = sum(before.flatMap((flows) => [flows.credits_issued, flows.credits_applied]))
    const closing_credits = opening_credits + credits_issued + credits_applied
    return { opening_credits, credits_issued, credits_applied, closing_credits, credits_granted }
  })
}

async function flowsOf<Measures>(
  context: MetricContext,
  measure: (flows: Flows, before: readonly Flows[]) => Measures,
): Promise<readonly PeriodGroup<Measures>[]> {
  const periods = bookPeriods(context.request.time)
  if (periods.length === 0) return []
  const { groups } = await readFlows(context, periods)
  return groups.map(({ values, periods: flows }: { values: readonly DimensionValue[]; periods: readonly Flows[] }) => ({
    values,
    measures: periods.map((_, index) => measure(flows[index + 1] ?? noFlows(), flows.slice(0, index + 1))),
  }))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
