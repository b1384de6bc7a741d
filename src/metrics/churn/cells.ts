import { eachInSlices, mapInSlices } from '../../core/slices.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import type { Field } from '../../query/field.ts'
import type { MetricContext } from '../readings/context.ts'
import { completeGroups } from '../readings/groups.ts'
import { checkTallied } from '../readings/size.ts'

/** Fields that split and narrow the numerator only (http-api.md 1.6). */
export function isEventField(field: Field): boolean {
  return ['churn_type', 'cancel_reason', 'occurred_at'].includes(field.key)
}

/** Numerator and denominator of one group and period, as SQL sums them. */
export interface ChurnCell {
  readonly values: readonly DimensionValue[]
  readonly period: number
  /** Customers churned, or cents lost. */
  readonly lost: number
  /** Events behind `lost`: the group exists if there are any. */
  readonly events: number
  /** Customers live, or MRR, just before the period. */
  readonly start: number
}

export interface ChurnGroup {
  readonly values: readonly DimensionValue[]
  readonly periods: readonly {
    readonly lost: number
    readonly start: number
  }[]
}

/**
 * Cells joined to groups. Event dimensions split the numerator only: all groups that agree in the other dimensions share the
 * denominator, so that their rates add up (http-api.md 1.6).
 */
export async function gatherChurn(
  context: MetricContext,
  cells: readonly ChurnCell[],
  periods: number,
): Promise<readonly ChurnGroup[]> {
  const { dimensions } = context.request
  const starts = new Map<string, number>()
  const losts = new Map<string, number>()
  const groups = new Map<string, readonly DimensionValue[]>()
  const scopeOf = (values: readonly DimensionValue[]) => values.filter((_, index) => !isEventField(dimensions[index] as Field))
  const splitsByReason = dimensions.some(({ key }) => key === 'cancel_reason')
  await eachInSlices(cells, ({ values, period, lost, events, start }) => {
    const key = JSON.stringify(values)
    if (!splitsByReason || events > 0) groups.set(key, values)
    add(starts, JSON.stringify([period, scopeOf(values)]), start)
    add(losts, JSON.stringify([period, values]), lost)
  })
  checkTallied(context, groups.size * periods)
  const sums = (values: readonly DimensionValue[]): ChurnGroup => ({
    values,
    periods: Array.from({ length: periods }, (_, period) => ({
      lost: losts.get(JSON.stringify([period, values])) ?? 0,
      start: starts.get(JSON.stringify([period, scopeOf(values)])) ?? 0,
    })),
  })
  const isShown = (group: ChurnGroup) => group.periods.some(({ lost, start }) => lost !== 0 || start !== 0)
  return completeGroups(context, await mapInSlices([...groups.values()], sums), isShown, sums)
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
