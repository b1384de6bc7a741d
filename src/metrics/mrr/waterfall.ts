import { MOVEMENT_TYPES, type MovementType } from '../../core/enums.ts'
import { flatMapInSlices, inSlices } from '../../core/slices.ts'
import { exactly } from '../../core/too-large.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext } from '../readings/context.ts'
import { checkSize, checkTallied, completeGroups } from '../readings/groups.ts'
import { total } from '../readings/level-rows.ts'
import { readBoundaries, readEffects, readPoint } from '../readings/levels.ts'
import { canTransfer, readMovements } from './movements.ts'

interface Column {
  readonly values: readonly DimensionValue[]
  /** Levels at the boundaries: opening, then each period's end. */
  readonly levels: number[]
  readonly moved: Record<MovementType, number>[]
  /** The effect of exchange rates in each period. */
  readonly effects: number[]
}

/**
 * One waterfall per group (D37). If the group of a subscription can change, this reads the levels at the boundaries and the movements between
 * them, and the difference is transfer. If it cannot change, the opening level, the movements and the effects of rates give all levels (I1).
 */
export async function readWaterfall(context: MetricContext) {
  const time = rangeTime(context.request)
  const moves = canTransfer(context.request)
  const count = time.periods.length
  const columns = new Map<string, Column>()
  const columnOf = (values: readonly DimensionValue[]) => {
    const key = JSON.stringify(values)
    const known = columns.get(key)
    if (known !== undefined) return known
    checkTallied(context, (columns.size + 1) * count)
    const column = emptyColumn(values, count)
    columns.set(key, column)
    return column
  }
  for (const group of moves ? await readBoundaries(context, time) : await readPoint(context, time.from)) {
    const column = columnOf(group.values)
    for (const [index, level] of group.levels.entries()) column.levels[index] = total(level)
  }
  for await (const cell of inSlices(await readMovements(context, time))) {
    const moved = columnOf(cell.values).moved[cell.period]
    if (moved !== undefined) moved[cell.type] = exactly(moved[cell.type] + cell.amount, cell.type)
  }
  for (const group of await readEffects(context, time)) {
    const { effects } = columnOf(group.values)
    for (const [index, effect] of group.levels.slice(1).entries()) effects[index] = total(effect)
  }
  if (!moves) for (const column of columns.values()) carryForward(column)
  const present = completeGroups(context, [...columns.values()], isMoved, (values) => emptyColumn(values, count))
  checkSize(context, present.length * count)
  return flatMapInSlices(present, (column) =>
    time.periods.map(({ period }, index) => {
      const keys = { month: period, period }
      return {
        order: [period],
        keys,
        values: column.values,
        measures: step(column, index),
      }
    }),
  )
}

function carryForward({ levels, moved, effects }: Column): void {
  for (const [index, period] of moved.entries())
    levels[index + 1] = exactly((levels[index] ?? 0) + sumOf(period) + (effects[index] ?? 0), 'ending_mrr')
}

function sumOf(moved: Readonly<Record<MovementType, number>>): number {
  return MOVEMENT_TYPES.reduce((sum, type) => exactly(sum + moved[type], 'net_change'), 0)
}

function step(column: Column, index: number) {
  const starting_mrr = column.levels[index] ?? 0
  const ending_mrr = column.levels[index + 1] ?? 0
  const moved = column.moved[index] ?? noMovement()
  const net_change = ending_mrr - starting_mrr
  const fx_effect = column.effects[index] ?? 0
  const transfer = net_change - sumOf(moved) - fx_effect
  return {
    starting_mrr,
    ...moved,
    transfer,
    fx_effect,
    net_change,
    ending_mrr,
  }
}

function isMoved(column: Column): boolean {
  return (
    [...column.levels, ...column.effects].some((amount) => amount !== 0) ||
    column.moved.some((moved) => MOVEMENT_TYPES.some((type) => moved[type] !== 0))
  )
}

function emptyColumn(values: readonly DimensionValue[], periods: number): Column {
  return {
    values,
    levels: new Array<number>(periods + 1).fill(0),
    moved: Array.from({ length: periods }, noMovement),
    effects: new Array<number>(periods).fill(0),
  }
}

function noMovement(): Record<MovementType, number> {
  return { new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0 }
}
