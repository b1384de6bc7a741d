import type { Row } from '../api/use-answer.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { Figure } from '../format/figure.tsx'
import type { Column } from '../parts/table.tsx'

/** The columns of a chart's table with its goals, if it has some. */
export function withGoals(columns: readonly Column[], spec: ChartSpec | undefined): readonly Column[] {
  const { goal, days = [], unit = 'count', currency = '' } = spec ?? {}
  if (goal === undefined) return columns
  const goalIn = (row: Row) => goal.values[days.findIndex(({ start }) => start === row['period'])] ?? null
  const render = (row: Row) => <Figure value={goalIn(row)} unit={unit} currency={currency} />
  return [...columns, { key: 'goal', label: goal.name, isNumber: true, totals: false, render }]
}
