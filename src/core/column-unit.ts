/** How a number reads to people: money in cents, a fraction of a whole, a ratio of two amounts, or a plain count. */
export type Unit = 'money' | 'fraction' | 'ratio' | 'count'

const OF_COMPARISON = /^(previous|change)_/

/** No column. */
export const NO_AMOUNTS: ReadonlySet<string> = new Set()

/** Unit of a column: that of `amounts`, which an answer knows, and of what is called cents is money, the others follow from their names. */
export function unitOf(name: string, amounts: ReadonlySet<string>): Unit {
  const column = name.replace(OF_COMPARISON, '')
  // An attribute is whatever its author made of it.
  if (column.startsWith('attr.')) return 'count'
  if (amounts.has(name) || column.endsWith('_cents')) return 'money'
  if (column.endsWith('_ratio')) return 'ratio'
  return /_rate$|^nrr$|^grr$/.test(column) ? 'fraction' : 'count'
}

/** True for the difference of two numbers, which people read with its sign. */
export function isChange(column: string): boolean {
  return column.startsWith('change_')
}
