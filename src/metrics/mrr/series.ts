import { mapInSlices } from '../../core/slices.ts'
import { fieldsOf, rangeTime } from '../../query/request.ts'
import { computed, readSeriesOf, sumOf, times } from '../formula.ts'
import type { MetricContext } from '../readings/context.ts'
import type { Fact, GroupSums } from '../readings/fact.ts'
import { type LevelGroup, total } from '../readings/level-rows.ts'
import { readBoundaries, readPoint } from '../readings/levels.ts'
import { endingLevels, netChange, startingLevels } from './counted.ts'
import { readMovementSeries } from './movements.ts'

type LevelSum = 'start' | 'end' | 'subscription' | 'usage'

/** MRR just before a period and at its end; the components at its end. A row is the span of a subscription. */
const LEVEL: Fact<LevelSum> = {
  sums: ['start', 'end', 'subscription', 'usage'],
  async tabulate(context, { periods, dimensions }) {
    const { time } = context.request
    const grouped = { ...context, request: { ...context.request, dimensions } }
    // A day has no start.
    const groups =
      time.kind === 'point'
        ? (await readPoint(grouped, time.before)).map(({ values, levels }) => ({ values, levels: [...levels, ...levels] }))
        : await readBoundaries(grouped, time)
    const nothing = periods.map(() => 0)
    return {
      groups: await mapInSlices(groups, sumsOf),
      groupOf: (values) => ({ values, sums: { start: nothing, end: nothing, subscription: nothing, usage: nothing } }),
      isShared: false,
    }
  },
  rowsOf: (name) => ROWS[name],
}

const ROWS = {
  start: startingLevels,
  end: endingLevels(),
  subscription: endingLevels(['subscription']),
  usage: endingLevels(['usage']),
}

function sumsOf({ values, levels }: LevelGroup): GroupSums {
  const ends = levels.slice(1)
  return {
    values,
    sums: {
      start: levels.slice(0, -1).map(total),
      end: ends.map(total),
      subscription: ends.map(({ subscription }) => subscription),
      usage: ends.map(({ usage }) => usage),
    },
  }
}

const end = sumOf(LEVEL, 'end')

/** MRR of a day, or at the end of each period with the net movement in it (http-api.md 3.2). */
export const LEVELS = {
  mrr: end,
  arr: times(12, end),
  subscription_mrr: sumOf(LEVEL, 'subscription'),
  usage_mrr: sumOf(LEVEL, 'usage'),
  amount_base: computed([end, sumOf(LEVEL, 'start')], ([after, before]) => after - before, netChange),
}

/** A level series. */
export function readLevelSeries(context: MetricContext) {
  return readSeriesOf(context, LEVELS)
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
