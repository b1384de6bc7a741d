import { InternalError } from '../core/errors.ts'
import type { DimensionValue } from '../query/cells.ts'
import type { AnswerRow, MetricContext, MetricResult } from './define-metric.ts'
import { checkSize, hasValue, rowsResult } from './rows.ts'

/** A group of an answer with its measures in each period. */
export interface PeriodGroup {
  readonly values: readonly DimensionValue[]
  readonly measures: readonly AnswerRow[]
}

/**
 * G and S answers (http-api.md 1.6): the bare number of `scalar` without dimensions and periods, else a row per period and group.
 * `names` are the periods' first days, undefined when the answer is not cut. A group of nothing but zeros and nulls is left out.
 */
export function periodResult(
  context: MetricContext,
  names: readonly string[] | undefined,
  columns: { readonly scalar: string; readonly measures: readonly string[] },
  groups: readonly PeriodGroup[],
): MetricResult {
  const isGrouped = context.request.dimensions.length > 0
  if (names === undefined && !isGrouped) {
    const found = groups[0]?.measures[0]?.[columns.scalar] ?? null
    if (found !== null && typeof found !== 'number') throw new InternalError(`"${columns.scalar}" is no number`)
    return { kind: 'scalar', field: columns.scalar, value: found }
  }
  const present = isGrouped ? groups.filter(({ measures }) => measures.some(hasValue)) : groups
  checkSize(context, present.length * (names?.length ?? 1))
  const rows = present.flatMap(({ values, measures }) =>
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
