import { InternalError } from '../../core/errors.ts'
import { flatMapInSlices, mapInSlices } from '../../core/slices.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import type { MetricContext } from '../readings/context.ts'
import { checkSize, completeGroups } from '../readings/groups.ts'
import { type Amounts, type LevelGroup, total } from '../readings/level-rows.ts'
import { readBoundaries, readPoint } from '../readings/levels.ts'
import { readMovementSeries } from './movements.ts'

const NOTHING: Amounts = { subscription: 0, usage: 0 }

/** Levels at the requested day (http-api.md 3.2). */
export async function readLevels(context: MetricContext) {
  const { time } = context.request
  if (time.kind !== 'point') throw new InternalError('a level at a day was asked for over a range')
  const groups = await readPoint(context, time.before)
  return groups.map(({ values, levels }) => ({
    values,
    measures: levels.map(levelMeasures),
  }))
}

/** Levels at the ends of periods, with the net movement in each (http-api.md 3.2). */
export async function readLevelSeries(context: MetricContext) {
  const time = rangeTime(context.request)
  const isShown = ({ levels }: LevelGroup) => levels.slice(1).some((level, index) => isMoved(levels[index], level))
  const groups = completeGroups(context, await readBoundaries(context, time), isShown, (values) => ({ values, levels: [] }))
  checkSize(context, groups.length * time.periods.length)
  return flatMapInSlices(groups, ({ values, levels }) =>
    time.periods.map(({ period }, index) => {
      const level = levels[index + 1] ?? NOTHING
      const amount_base = total(level) - total(levels[index] ?? NOTHING)
      return {
        order: [period],
        keys: { period },
        values,
        measures: { ...levelMeasures(level), amount_base },
      }
    }),
  )
}

/** A level series; by movement type only the movements, because levels have no type. */
export async function readSeries(context: MetricContext) {
  const byType = fieldsOf(context.request).some((field) => field.key === 'movement_type')
  if (!byType) return readLevelSeries(context)
  const rows = await readMovementSeries(context, rangeTime(context.request))
  return mapInSlices(rows, (row) => ({
    ...row,
    measures: { mrr: null, arr: null, ...row.measures },
  }))
}

// A group belongs to the answer if a period has a level or a net movement (http-api.md 1.6).
function isMoved(before: Amounts = NOTHING, level: Amounts): boolean {
  return level.subscription !== 0 || level.usage !== 0 || total(level) !== total(before)
}

function levelMeasures(level: Amounts) {
  return {
    mrr: total(level),
    arr: 12 * total(level),
    subscription_mrr: level.subscription,
    usage_mrr: level.usage,
  }
}
