import { MOVEMENT_TYPES } from '../../core/enums.ts'
import { eachInSlices, mapInSlices } from '../../core/slices.ts'
import { matchesText } from '../../query/condition-match.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import { MOVEMENT_ORDER } from '../../query/dimensions/movement.ts'
import { rangeTime } from '../../query/request.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { checkSize, completeGroups } from '../readings/groups.ts'
import { type LevelGroup, total } from '../readings/level-rows.ts'
import { readBoundaries, readEffects } from '../readings/levels.ts'
import { periodNames } from '../readings/periods.ts'
import { canTransfer, readMovements } from './movements.ts'

interface BreakdownCell {
  readonly values: readonly DimensionValue[]
  readonly type: string
  readonly period: number
  readonly amount: number
  readonly events: number
}

/** Movements of a range by type. MRR that entered or left a group without a movement is `transfer` (D36, D37), and the effect of rates is `fx_effect` (D65). */
export async function readBreakdown(context: MetricContext) {
  const { conditions } = context.request
  const time = rangeTime(context.request)
  const movements = await readMovements(context, time)
  // Effects of rates and transfers have no instant, so a filter on `occurred_at` leaves them out.
  const isTimed = conditions.some((condition) => condition.field.key === 'occurred_at')
  const effects = isTimed ? [] : effectCells(await readEffects(context, time))
  const transfers = !isTimed && canTransfer(context.request) ? await readTransfers(context, time, [...movements, ...effects]) : []
  const onType = conditions.filter((condition) => condition.field.key === 'movement_type')
  const isWanted = (type: string) => onType.every((condition) => matchesText(condition, type))
  const names = periodNames(time)
  const cells = new Map(
    [...movements, ...effects, ...transfers].filter((cell) => isWanted(cell.type)).map((cell) => [cellKey(cell), cell]),
  )
  const pairs = pairsOf(context, [...cells.values()])
  const periods = names?.map((_, index) => index) ?? [0]
  checkSize(context, pairs.length * periods.length)
  await eachInSlices(
    pairs.filter(({ type }) => isWanted(type)),
    (pair) => {
      for (const period of periods) {
        const cell = { ...pair, period, amount: 0, events: 0 }
        if (!cells.has(cellKey(cell))) cells.set(cellKey(cell), cell)
      }
    },
  )
  return mapInSlices([...cells.values()], ({ values, type, period: index, amount, events }) => {
    const period = names?.[index] ?? null
    return {
      order: [period, MOVEMENT_ORDER.indexOf(type)],
      keys: { period, movement_type: type },
      values,
      measures: { amount_base: amount, event_count: events },
    }
  })
}

function effectCells(groups: readonly LevelGroup[]): readonly BreakdownCell[] {
  return groups.flatMap(({ values, levels }) =>
    levels.slice(1).flatMap((effect, period) => {
      const amount = total(effect)
      return amount === 0 ? [] : [{ values, type: 'fx_effect', period, amount, events: 0 }]
    }),
  )
}

async function readTransfers(
  context: MetricContext,
  time: RangeTime,
  movements: readonly BreakdownCell[],
): Promise<readonly BreakdownCell[]> {
  const moved = new Map<string, number>()
  for (const cell of movements) {
    const key = JSON.stringify([cell.period, cell.values])
    moved.set(key, (moved.get(key) ?? 0) + cell.amount)
  }
  const groups = await readBoundaries(context, time)
  const nets = new Map<string, { values: readonly DimensionValue[]; period: number; net: number }>()
  for (const { values, levels } of groups) {
    for (const [period, level] of levels.slice(1).entries()) {
      const before = levels[period]
      nets.set(JSON.stringify([period, values]), {
        values,
        period,
        net: total(level) - (before === undefined ? 0 : total(before)),
      })
    }
  }
  for (const { values, period } of movements) {
    const key = JSON.stringify([period, values])
    if (!nets.has(key)) nets.set(key, { values, period, net: 0 })
  }
  return [...nets].flatMap(([key, { values, period, net }]) => {
    const amount = net - (moved.get(key) ?? 0)
    return amount === 0 ? [] : [{ values, type: 'transfer', period, amount, events: 0 }]
  })
}

type Pair = Pick<BreakdownCell, 'type' | 'values'>

// Type and group of each row of a period and segment (http-api.md 3.2, 1.6): all five types without dimensions, else those that occur.
function pairsOf(context: MetricContext, cells: readonly BreakdownCell[]): readonly Pair[] {
  return MOVEMENT_TYPES.flatMap((type) => {
    const pairs = cells.filter((cell) => cell.type === type).map(({ values }): Pair => ({ type, values }))
    return completeGroups(
      context,
      pairs,
      () => true,
      (values) => ({ type, values }),
    )
  })
}

function cellKey(cell: BreakdownCell): string {
  return JSON.stringify([cell.period, cell.type, cell.values])
}
