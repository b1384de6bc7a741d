import type { DimensionValue } from '../../query/cells.ts'
import { matchesText } from '../../query/condition-match.ts'
import type { RangeTime } from '../../query/timeframe.ts'
import type { AnswerRow, MetricContext, MetricResult } from '../define-metric.ts'
import { completeGroups } from '../groups.ts'
import { checkSize, type KeyedRow, rowsResult } from '../rows.ts'
import { readMovements } from './movements.ts'

/** A series sliced by movement type: only movements have one, so levels are null (http-api.md 3.2). */
export async function movementSeries(
  context: MetricContext,
  time: RangeTime,
  measures: readonly string[],
): Promise<MetricResult> {
  const { dimensions, conditions } = context.request
  const onType = conditions.filter((condition) => condition.field.key === 'movement_type')
  const position = dimensions.findIndex((field) => field.key === 'movement_type')
  const groups = new Map<string, { values: readonly DimensionValue[]; amounts: number[] }>()
  const nothing = () => time.periods.map(() => 0)
  for (const cell of await readMovements(context, time)) {
    if (!onType.every((condition) => matchesText(condition, cell.type))) continue
    const values = position < 0 ? cell.values : cell.values.toSpliced(position, 0, cell.type)
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, amounts: nothing() }
    group.amounts[cell.period] = (group.amounts[cell.period] ?? 0) + cell.amount
    groups.set(key, group)
  }
  const isMoved = ({ amounts }: { amounts: readonly number[] }) => amounts.some((amount) => amount !== 0)
  const present = completeGroups(context, [...groups.values()], isMoved, (values) => ({ values, amounts: nothing() }))
  checkSize(context, present.length * time.periods.length)
  const rows = present.flatMap(({ values, amounts }) =>
    time.periods.map(
      ({ period }, index): KeyedRow => ({
        order: [period],
        keys: { period },
        values,
        measures: write(measures, amounts[index] ?? 0),
      }),
    ),
  )
  return rowsResult(context, { keys: ['period'], measures }, rows)
}

function write(measures: readonly string[], amount: number): AnswerRow {
  return Object.fromEntries(measures.map((measure) => [measure, measure === 'amount_base' ? amount : null]))
}
