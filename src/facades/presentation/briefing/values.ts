import type { Unit } from '../../../core/column.ts'
import { goalText } from '../../../core/goal.ts'
import { withoutControls } from '../../../core/text.ts'
import { barShares, numberText } from '../cells.ts'
import type { Block, Briefing, Figure, Shown } from './briefing.ts'

/** A value as every form of a briefing writes it, on one line. */
export function valueText(value: Shown, unit: Unit | undefined, currency: string): string {
  return typeof value === 'string' ? withoutControls(value) : numberText(value, unit ?? 'count', currency)
}

/** A figure with its currency. */
export function figureText({ value, unit }: Pick<Figure, 'value' | 'unit'>, currency: string): string {
  const text = valueText(value, unit, currency)
  return unit === 'money' && value !== null ? `${text} ${currency}` : text
}

/** The change of a figure with its sign; empty if it has none. Fractions change by percentage points. */
export function changeText({ change, unit }: Figure, currency: string): string {
  if (change === undefined) return ''
  const text = valueText(Math.abs(change), unit, currency)
  const sign = text === valueText(0, unit, currency) ? '' : change > 0 ? '+' : '-'
  return `${sign}${unit === 'fraction' ? text.replace('%', ' pp') : text}`
}

/** The comparison of a figure with its goal in words; empty if it has none. */
export function goalOfFigure({ goal, unit }: Figure, currency: string): string {
  return goal === undefined ? '' : goalText(goal, (value) => figureText({ value, unit }, currency))
}

/** The sentences below a briefing: how far the data reaches, the currency, and what is lacking. */
export function factsOf({
  data_through,
  base_currency,
  time_zone,
  definitions,
  left_out,
  warnings,
}: Briefing): readonly string[] {
  const through = data_through === null ? 'an unknown instant' : `${data_through.slice(0, 16).replace('T', ' ')} UTC`
  return [
    `The data reaches ${through}. Amounts are in ${base_currency}, and days in ${time_zone ?? 'UTC'}. Definitions ${definitions}.`,
    ...left_out.map(({ title, reason }) => `Without "${title}": ${reason}`),
    ...warnings,
  ].map(withoutControls)
}

/** The shares of the bars of a table's second column. Undefined if the table has no bars. */
export function barsOf({ rows, hasBars }: Extract<Block, { readonly kind: 'table' }>): readonly number[] | undefined {
  return hasBars ? barShares(rows.map(([, value]) => value)) : undefined
}

/** The sentence below a table whose last rows are left out. */
export function moreText(more: number): string {
  return more === 0 ? '' : more === 1 ? 'One more is left out.' : `${more} more are left out.`
}
