import { MOVEMENT_TYPES, type MovementType } from '../../core/enums.ts'
import { AppError } from '../../core/errors.ts'
import { flatMapInSlices, inSlices } from '../../core/slices.ts'
import { dayCell, integerCell, integerOrNull, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { matchesText } from '../../query/condition-match.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import { fieldsOf, type QueryRequest, readsBaseAmounts } from '../../query/request.ts'
import { compileScope } from '../../query/scope.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { MetricContext } from '../readings/context.ts'
import { movementFact, windowOf } from '../readings/facts.ts'
import { type Gaps, listUnpriced, refuseGaps, unratedIn } from '../readings/gaps.ts'
import { addCents, checkSize, completeGroups, type KeyedRow, tallyGroups } from '../readings/groups.ts'
import { bucketSlots, bucketStep } from '../readings/periods.ts'

/** Movements of one group, type and period. */
export interface MovementCell {
  readonly values: readonly DimensionValue[]
  readonly type: MovementType
  /** Index of the period in the range; 0 without periods. */
  readonly period: number
  readonly amount: number
  /** The part of a base amount that only the exchange rate made (D12). */
  readonly rate_part: number
  readonly events: number
}

/**
 * Movements of the range by group, type and period (D31, D36). All types are included; callers filter by type. Dimensions that the rows
 * contain (movement_type) are not in `values`.
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
  await refuseGaps(context, movementGaps(rows, readsBaseAmounts(context.request)), () => listUnpriced(context, time))
  const slotOf = bucketSlots(time)
  const cells = new Map<string, { -readonly [K in keyof MovementCell]: MovementCell[K] }>()
  for await (const row of inSlices(rows)) {
    const values = scope.grouped.map((field) => dimensionValue(row, field))
    const type = movementType(row)
    const period = slotOf(dayCell(row, 'bucket')) - 1
    const key = JSON.stringify([type, period, values])
    const cell = cells.get(key) ?? {
      values,
      type,
      period,
      amount: 0,
      rate_part: 0,
      events: 0,
    }
    cell.rate_part += unit === 'base' ? (integerOrNull(row, 'rate_base_cents') ?? 0) : 0
    cell.amount = addCents(cell.amount, row, unit === 'base' ? 'amount_base_cents' : 'amount_cents')
    cell.events += integerCell(row, 'event_count')
    cells.set(key, cell)
  }
  return [...cells.values()].filter((cell) => cell.events > 0)
}

/** True if MRR can enter or leave a group without a movement, because a value can change during a subscription's life (D37). */
export function canTransfer(request: QueryRequest): boolean {
  return fieldsOf(request).some((field) => field.constant !== 'always')
}

function movementGaps(rows: readonly Row[], needsBase: boolean): Gaps {
  const unpriced = rows.reduce((sum, row) => sum + integerCell(row, 'unpriced_count'), 0)
  return { unpriced, unrated: needsBase ? unratedIn(rows) : [] }
}

function movementType(row: Row): MovementType {
  const raw = textCell(row, 'movement_type')
  const type = MOVEMENT_TYPES.find((known) => known === raw)
  if (type !== undefined) return type
  throw new AppError('canonical_enum_violation', `"${raw}" is not a movement type.`, {
    context: {
      relation: 'mrr_movement',
      column: 'movement_type',
      value: raw,
    },
  })
}

/** Net movements of a series by movement type, in cents (http-api.md 3.2). */
export async function readMovementSeries(
  context: MetricContext,
  time: RangeTime,
): Promise<readonly KeyedRow<{ readonly period: string }, { readonly amount_base: number }>[]> {
  const { dimensions, conditions } = context.request
  const onType = conditions.filter((condition) => condition.field.key === 'movement_type')
  const position = dimensions.findIndex((field) => field.key === 'movement_type')
  const nothing = () => ({ amount_base: 0 })
  const tally = tallyGroups(time.periods.length, nothing, context)
  for await (const { values, type, period, amount } of inSlices(await readMovements(context, time))) {
    if (!onType.every((condition) => matchesText(condition, type))) continue
    const net = tally.of(position < 0 ? values : values.toSpliced(position, 0, type), period)
    if (net !== undefined) net.amount_base += amount
  }
  const groups = completeGroups(
    context,
    tally.groups(),
    ({ periods }) => periods.some(({ amount_base }) => amount_base !== 0),
    (values) => ({ values, periods: time.periods.map(nothing) }),
  )
  checkSize(context, groups.length * time.periods.length)
  return flatMapInSlices(groups, ({ values, periods }) =>
    time.periods.map(({ period }, index) => ({
      order: [period],
      keys: { period },
      values,
      measures: periods[index] ?? nothing(),
    })),
  )
}
