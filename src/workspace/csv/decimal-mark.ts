import type { CsvSeparator } from '../../core/csv-form.ts'

/**
 * A number with a decimal point. A file whose cells are divided by semicolons or tabs comes from where numbers have a decimal comma: it is read,
 * too, but not before exactly three digits, where it may as well separate thousands. All else stays as it is, for the reader to refuse.
 */
export function withPoint(text: string, separator: CsvSeparator): string {
  if (separator === ',') return text
  const [, whole, decimals] = /^(-?\d+),(\d+)$/.exec(text) ?? []
  return whole === undefined || decimals === undefined || decimals.length === 3 ? text : `${whole}.${decimals}`
}
