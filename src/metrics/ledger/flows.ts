import { dayBefore, dayStart } from '../../core/periods.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import type { MetricContext } from '../readings/context.ts'
import type { PeriodGroup } from '../readings/groups.ts'
import { bookPeriods } from './days.ts'
import { type Flows, noFlows, readFlows } from './entries.ts'
import { optionsOf } from './options.ts'
import { readBalances } from './receivables.ts'

/** Receivables and bad debt of a group at the ends of days. */
export interface OpenLevels {
  readonly receivables: readonly number[]
  readonly bad_debt: readonly number[]
}

/** Receivables and bad debt at the ends of days, by group. */
export async function readOpen(context: MetricContext, days: readonly string[]): Promise<ReadonlyMap<string, OpenLevels>> {
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

function movementOf(flows: Flows, levels: OpenLevels | undefined, index: number) {
  const opening_receivables = levels?.receivables[index] ?? 0
  const closing_receivables = levels?.receivables[index + 1] ?? 0
  const written_off = (levels?.bad_debt[index + 1] ?? 0) - (levels?.bad_debt[index] ?? 0)
  const { charge, adjustment, tax, credit_granted, credit_issued, credit_applied, transfer, suspense } = flows
  const moved = sum([charge, adjustment, tax, credit_granted, credit_issued, credit_applied, transfer, suspense])
  const paid = sum([flows.payment, flows.refund, flows.chargeback])
  return {
    opening_receivables,
    billed: charge,
    adjusted: adjustment,
    tax,
    credits_granted: credit_granted,
    credits_issued: credit_issued,
    credits_applied: credit_applied,
    transferred: transfer,
    suspense,
    ...cashOf(flows),
    written_off,
    fx_difference: closing_receivables - opening_receivables - moved - paid + written_off,
    closing_receivables,
  }
}

/** Payments, refunds and chargebacks, which lower balances by as much. */
function cashOf({ payment, refund, chargeback }: Flows) {
  return { collected: 0 - payment, refunded: 0 - refund, charged_back: 0 - chargeback }
}

/** Cash in each period (R19). */
export async function readCash(context: MetricContext) {
  return flowsOf(context, (flows) => {
    const cash = cashOf(flows)
    return { ...cash, net: sum(Object.values(cash)) }
  })
}

/** Customer credit in each period (R20). */
export async function readCredits(context: MetricContext) {
  return flowsOf(context, ({ credit_issued: credits_issued, credit_applied: credits_applied, credit_granted }, before) => {
    const opening_credits = sum(before.flatMap((flows) => [flows.credit_issued, flows.credit_applied]))
    const closing_credits = opening_credits + credits_issued + credits_applied
    return { opening_credits, credits_issued, credits_applied, closing_credits, credits_granted: credit_granted }
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
