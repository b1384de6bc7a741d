import { InternalError } from '../../core/errors.ts'
import { ratio } from '../../core/money.ts'
import type { Period } from '../../core/periods.ts'
import { eachInSlices, mapInSlices } from '../../core/slices.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import type { Field } from '../../query/field.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext, TemplateRun } from '../readings/context.ts'
import { liveOnly, startScope, windowOf } from '../readings/facts.ts'
import { refuseRowGaps } from '../readings/gaps.ts'
import { checkTallied, completeGroups } from '../readings/groups.ts'
import { periodRelation, ratioPeriods } from '../readings/periods.ts'

/** True for fields that split and narrow only the numerator (http-api.md 1.6). */
export function isEventField(field: Field): boolean {
  return ['churn_type', 'cancel_reason', 'occurred_at'].includes(field.key)
}

/** Numerator and denominator of one group and period, as SQL sums them. */
interface ChurnCell {
  readonly values: readonly DimensionValue[]
  readonly period: number
  /** Customers churned, or cents lost. */
  readonly lost: number
  /** Number of events in `lost`. A group by cancel reason exists only if it has events. */
  readonly events: number
  /** Customers live, or MRR, just before the period. */
  readonly start: number
}

interface ChurnGroup {
  readonly values: readonly DimensionValue[]
  readonly periods: readonly {
    readonly lost: number
    readonly start: number
  }[]
}

/**
 * Joins cells into groups. Event dimensions split only the numerator. All groups with the same values in the other dimensions share the
 * denominator, so that their rates add up (http-api.md 1.6).
 */
async function gatherChurn(context: MetricContext, cells: readonly ChurnCell[], periods: number): Promise<readonly ChurnGroup[]> {
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

/** Logo churn per period and group: customers live just before it, and those of them that churned in it (D41). */
export async function readLogo(context: MetricContext, periods: readonly Period[]): Promise<readonly ChurnGroup[]> {
  const { dimensions } = context.request
  const cells = await mapInSlices(await readMembers(context, periods, dimensions), ({ row, values }) => {
    const lost = integerCell(row, 'event_matched') === 1 ? integerCell(row, 'churn_count') : 0
    return {
      values,
      period: integerCell(row, 'period_index'),
      lost,
      events: lost,
      start: integerCell(row, 'active_count'),
    }
  })
  return gatherChurn(context, cells, periods.length)
}

/** Rows of the template by group. Empty without periods. */
export async function readMembers(
  context: MetricContext,
  periods: readonly Period[],
  dimensions: readonly Field[],
): Promise<readonly { readonly row: Row; readonly values: readonly DimensionValue[] }[]> {
  if (periods.length === 0) return []
  const rows = await context.run(logoRun(context, periods, dimensions))
  return mapInSlices(rows, (row) => ({
    row,
    values: dimensions.map((field) => dimensionValue(row, field)),
  }))
}

/** The statement of the customers live just before each period. */
export function logoRun(context: MetricContext, periods: readonly Period[], dimensions: readonly Field[]): TemplateRun {
  const scope = startScope(context, dimensions, isEventField)
  const fields = [...dimensions, ...context.request.conditions.map(({ field }) => field)]
  return {
    template: fields.some(({ key }) => key === 'currency') ? 'churn/logo_by_currency' : 'churn/logo',
    slots: scope.slots,
    params: liveOnly(context.request),
    window: windowOf(scope, spanOf(periods)),
    inline: [periodRelation(periods)],
  }
}

function spanOf(periods: readonly Period[]): { readonly from: Date; readonly to: Date } {
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) throw new InternalError('a statement over no period')
  return { from: first.from, to: last.to }
}

/** Share of the customers live just before each period that churned in it. */
export async function readLogoChurn(context: MetricContext) {
  const groups = await readLogo(context, ratioPeriods(rangeTime(context.request)))
  return mapInSlices(groups, ({ values, periods }) => ({
    values,
    measures: periods.map(({ lost, start }) => ({
      logo_churn_rate: ratio(lost, start),
      churn_count: lost,
      active_at_start: start,
    })),
  }))
}

/** Time of the first churn in a row, if it matches the event filters. */
export function matchedChurn(row: Row): string | null {
  return integerCell(row, 'event_matched') === 1 ? textCell(row, 'first_left_at') : null
}

/** Start MRR and churn of one group, currency and period. */
interface RevenueRow {
  readonly values: readonly DimensionValue[]
  readonly period: number
  readonly start: number
  readonly lost: number
  readonly events: number
}

/** Start MRR and churn movements by group and period: of the start cohort (D43, D44), or of all customers. Empty without periods. */
export async function readRevenue(
  context: MetricContext,
  periods: readonly Period[],
  dimensions: readonly Field[],
  all_customers: boolean,
): Promise<readonly RevenueRow[]> {
  if (periods.length === 0) return []
  const rows = await context.run(revenueRun(context, periods, dimensions, all_customers))
  await refuseRowGaps(context, rows, spanOf(periods))
  return mapInSlices(rows, (row) => revenueRow(row, dimensions))
}

/** The statement of start MRR and churn movements. */
export function revenueRun(
  context: MetricContext,
  periods: readonly Period[],
  dimensions: readonly Field[],
  all_customers: boolean,
): TemplateRun {
  const scope = startScope(context, dimensions, isEventField)
  return {
    template: 'churn/revenue',
    slots: scope.slots,
    params: { unit: context.request.unit, all_customers },
    window: windowOf(scope, spanOf(periods)),
    inline: [periodRelation(periods)],
  }
}

function revenueRow(row: Row, dimensions: readonly Field[]): RevenueRow {
  const isMatched = integerCell(row, 'event_matched') === 1
  return {
    values: dimensions.map((field) => dimensionValue(row, field)),
    period: integerCell(row, 'period_index'),
    start: integerCell(row, 'start_sum'),
    lost: isMatched ? 0 - integerCell(row, 'churn_sum') : 0,
    events: isMatched ? integerCell(row, 'churn_rows') : 0,
  }
}

/** MRR lost by churn as a share of the start cohort's MRR, not capped (D44). */
export async function readRevenueChurn(context: MetricContext) {
  const periods = ratioPeriods(rangeTime(context.request))
  const cells = await readRevenue(context, periods, context.request.dimensions, false)
  return mapInSlices(await gatherChurn(context, cells, periods.length), (group) => ({
    values: group.values,
    measures: group.periods.map(({ lost, start }) => ({
      revenue_churn_rate: ratio(lost, start),
      revenue_lost: lost,
      start_mrr: start,
    })),
  }))
}

/** The request without filters on events. They select the churn that a row shows; its amounts cover the whole range. */
export function withoutEvents<C extends Pick<MetricContext, 'request'>>(context: C): C {
  const conditions = context.request.conditions.filter(({ field }) => !isEventField(field))
  return { ...context, request: { ...context.request, conditions } }
}
