import { InternalError } from '../../core/errors.ts'
import { fieldsOf } from '../../query/request.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { AnswerRow, MetricContext, MetricResult } from '../define-metric.ts'
import { completeGroups } from '../groups.ts'
import { checkSize, hasValue, type KeyedRow, rowsResult } from '../rows.ts'
import type { Amounts, LevelGroup } from './level-rows.ts'
import { readBoundaries, readPoint } from './levels.ts'
import { movementSeries } from './movement-series.ts'

const NOTHING: Amounts = { subscription: 0, usage: 0 }

/** How a query of the level family writes an amount of MRR. */
export interface LevelShape {
  /** Measures of a point, in order. */
  readonly point: readonly string[]
  /** Measures of a period, in order. */
  readonly series: readonly string[]
  /** The field that is the plain answer; undefined when the plain answer is the object of all. */
  readonly scalar: string | undefined
  /** Level and net movement as measures; a superset of the columns is fine. */
  measures(level: Amounts, net: number): AnswerRow
}

/** S endpoints: a level at `at`, or levels at the ends of periods with the net movement inside each (http-api.md 3.2). */
export async function answerLevels(context: MetricContext, shape: LevelShape): Promise<MetricResult> {
  const { time } = context.request
  if (time.kind === 'point') return answerPoint(context, shape, await readPoint(context, time.before))
  const byType = fieldsOf(context.request).some((field) => field.key === 'movement_type')
  return byType
    ? movementSeries(context, time, shape.series)
    : answerSeries(context, time, shape, await readBoundaries(context, time))
}

function answerPoint(context: MetricContext, shape: LevelShape, groups: readonly LevelGroup[]): MetricResult {
  const write = (group: LevelGroup | undefined) => pick(shape.measures(group?.levels[0] ?? NOTHING, 0), shape.point)
  if (context.request.dimensions.length > 0) {
    const shown = completeGroups(context, groups, (group) => hasValue(write(group)), withoutLevels)
    const rows = shown.map((group) => ({ order: [], keys: {}, values: group.values, measures: write(group) }))
    return rowsResult(context, { keys: [], measures: shape.point }, rows)
  }
  const measures = write(groups[0])
  if (shape.scalar === undefined) return { kind: 'object', columns: shape.point, value: measures }
  const value = measures[shape.scalar]
  if (typeof value !== 'number') throw new InternalError(`"${shape.scalar}" is no number`)
  return { kind: 'scalar', field: shape.scalar, value }
}

function answerSeries(context: MetricContext, time: RangeTime, shape: LevelShape, groups: readonly LevelGroup[]): MetricResult {
  const isShown = ({ levels }: LevelGroup) => levels.slice(1).some((level, index) => isMoved(levels[index], level))
  const present = completeGroups(context, groups, isShown, withoutLevels)
  checkSize(context, present.length * time.periods.length)
  const rows = present.flatMap(({ values, levels }) =>
    time.periods.map(({ period }, index): KeyedRow => {
      const level = levels[index + 1] ?? NOTHING
      const net = total(level) - total(levels[index] ?? NOTHING)
      return { order: [period], keys: { period }, values, measures: pick(shape.measures(level, net), shape.series) }
    }),
  )
  return rowsResult(context, { keys: ['period'], measures: shape.series }, rows)
}

// A group belongs to the answer when some period has a level or a net movement (http-api.md 1.6).
function isMoved(before: Amounts = NOTHING, level: Amounts): boolean {
  return level.subscription !== 0 || level.usage !== 0 || total(level) !== total(before)
}

function withoutLevels(values: LevelGroup['values']): LevelGroup {
  return { values, levels: [] }
}

/** MRR of both components together. */
export function total(amounts: Amounts): number {
  return amounts.subscription + amounts.usage
}

function pick(measures: AnswerRow, columns: readonly string[]): AnswerRow {
  return Object.fromEntries(columns.map((column) => [column, measures[column] ?? null]))
}
