/** The unit of a number for display: money in cents, a fraction, a ratio of two amounts, or a count. */
export type Unit = 'money' | 'fraction' | 'ratio' | 'count'

// `change_rate` is a separate column, not the change of a rate.
const OF_COMPARISON = /^(previous|change)_(?!rate$)/

/** Empty set: no column holds amounts. */
export const NO_AMOUNTS: ReadonlySet<string> = new Set()

/** Unit of a column. Columns in `amounts` (known from the answer) and `…_cents` are money. The others follow from their names. */
export function unitOf(name: string, amounts: ReadonlySet<string>): Unit {
  const column = name.replace(OF_COMPARISON, '')
  // The name of an attribute says nothing about its unit.
  if (column.startsWith('attr.')) return 'count'
  if (amounts.has(name) || column.endsWith('_cents')) return 'money'
  if (column.endsWith('_ratio')) return 'ratio'
  return /_rate$|_margin$|^nrr$|^grr$/.test(column) ? 'fraction' : 'count'
}

/** True for a difference of two numbers, which is displayed with its sign. */
export function isChange(column: string): boolean {
  return column.startsWith('change_')
}
