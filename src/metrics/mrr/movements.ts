import { MOVEMENT_TYPES, type MovementType } from '../../core/enums.ts'
import { AppError } from '../../core/errors.ts'
import { type DimensionValue, dayCell, dimensionValue, integerCell, type ResultRow, textCell } from '../../query/cells.ts'
import { readsBaseAmounts } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext } from '../define-metric.ts'
import { type Gaps, settleGaps } from '../gaps.ts'
import { bucketSlots, bucketStep } from './buckets.ts'
import { movementFact, windowOf } from './facts.ts'
import { listUnpriced } from './unpriced.ts'

/** Movements of one group, type and period. */
export interface MovementCell {
  readonly values: readonly DimensionValue[]
  readonly type: MovementType
  /** Index into the periods of the range; 0 when it is not cut. */
  readonly period: number
  readonly amount: number
  readonly events: number
}

/**
 * Movements of the range by group, type and period (D31, D36), all types: whoever filters by type does so afterwards. Dimensions
 * that the rows carry (movement_type) are not in `values`.
 */
export async function readMovements(context: MetricContext, time: RangeTime): Promise<readonly MovementCell[]> {
  const { dimensions, conditions, unit } = context.request
  const scope = compileScope(dimensions, conditions, movementFact(context))
  const rows = await context.run({
    template: 'mrr/breakdown',
    slots: scope.slots,
    params: { start: time.from, end: time.to, step: bucketStep(time.interval) },
    window: windowOf(scope, time),
  })
  await settleGaps(context, movementGaps(rows, readsBaseAmounts(context.request)), () => listUnpriced(context, time))
  const slotOf = bucketSlots(time)
  const cells = new Map<string, { -readonly [K in keyof MovementCell]: MovementCell[K] }>()
  for (const row of rows) {
    const values = scope.grouped.map((field) => dimensionValue(row, field))
    const type = movementType(row)
    const period = slotOf(dayCell(row, 'bucket')) - 1
    const key = JSON.stringify([type, period, values])
    const cell = cells.get(key) ?? { values, type, period, amount: 0, events: 0 }
    cell.amount += integerCell(row, unit === 'base' ? 'amount_base_cents' : 'amount_cents')
    cell.events += integerCell(row, 'event_count')
    cells.set(key, cell)
  }
  return [...cells.values()].filter((cell) => cell.events > 0)
}

function movementGaps(rows: readonly ResultRow[], needsBase: boolean): Gaps {
  const unrated = rows.flatMap((row) => {
    const from = textCell(row, 'unrated_from')
    return from === null
      ? []
      : [{ currency: textCell(row, 'fact_currency') ?? '', from: from.slice(0, 10), count: integerCell(row, 'unrated_count') }]
  })
  return { unpriced: rows.reduce((sum, row) => sum + integerCell(row, 'unpriced_count'), 0), unrated: needsBase ? unrated : [] }
}

function movementType(row: ResultRow): MovementType {
  const raw = textCell(row, 'movement_type')
  const type = MOVEMENT_TYPES.find((known) => known === raw)
  if (type !== undefined) return type
  throw new AppError('canonical_enum_violation', `"${raw}" is no movement type.`, {
    context: { relation: 'mrr_movement', column: 'movement_type', value: raw },
  })
}
