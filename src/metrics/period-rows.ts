import { InternalError } from '../core/errors.ts'
import type { DimensionValue } from '../query/cells.ts'
import type { AnswerRow, MetricContext, MetricResult } from './define-metric.ts'
import { completeGroups } from './groups.ts'
import { checkSize, hasValue, rowsResult } from './rows.ts'

/** A group of an answer with its measures in each period. */
export interface PeriodGroup {
  readonly values: readonly DimensionValue[]
  readonly measures: readonly AnswerRow[]
}

/**
 * G and S answers (http-api.md 1.6): the bare number of `scalar` without dimensions and periods, else a row per period and group.
 * `names` are the periods' first days, undefined when the answer is not cut. A group of nothing but zeros and nulls is left out;
 * `nothing` are the measures of a group that no row was found for.
 */
export function periodResult(
  context: MetricContext,
  names: readonly string[] | undefined,
  columns: { readonly scalar: string; readonly measures: readonly string[]; readonly nothing: AnswerRow },
  found: readonly PeriodGroup[],
): MetricResult {
  const groups = completeGroups(
    context,
    found,
    ({ measures }) => measures.some(hasValue),
    (values) => ({ values, measures: (names ?? ['']).map(() => columns.nothing) }),
  )
  if (names === undefined && context.request.dimensions.length === 0) {
    const value = groups[0]?.measures[0]?.[columns.scalar] ?? null
    if (value !== null && typeof value !== 'number') throw new InternalError(`"${columns.scalar}" is no number`)
    return { kind: 'scalar', field: columns.scalar, value }
  }
  checkSize(context, groups.length * (names?.length ?? 1))
  const rows = groups.flatMap(({ values, measures }) =>
    measures.map((measure, index) => {
      const period = names?.[index] ?? null
      return {
        order: names === undefined ? [] : [period],
        keys: names === undefined ? {} : { period },
        values,
        measures: measure,
      }
    }),
  )
  return rowsResult(context, { keys: names === undefined ? [] : ['period'], measures: columns.measures }, rows)
}
