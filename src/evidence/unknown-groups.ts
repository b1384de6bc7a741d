import type { MetricResult } from '../metrics/readings/context.ts'
import type { CellGroup } from '../metrics/readings/counted.ts'
import { oneOf } from '../query/issues.ts'
import type { Warning } from '../query/warning.ts'

/** Most values that the warning lists for a group. */
const MOST_LISTED = 20

/**
 * The warning about groups with text that no row of the answer has, with the values that the answer has. A misspelt value would otherwise
 * give a page without rows and without a word. Undefined if the answer has a row for each.
 */
export function unknownGroups(groups: readonly CellGroup[], result: MetricResult): Warning | undefined {
  if (result.kind !== 'rows') return undefined
  const sentences = groups.flatMap(({ field: { key, type }, condition }) => {
    const wanted = condition?.values[0]
    if (type !== 'string' || typeof wanted !== 'string' || !result.columns.includes(key)) return []
    const values = new Set(result.rows.map((row) => (row as Readonly<Record<string, unknown>>)[key]))
    return values.has(wanted) ? [] : [`The number has no group ${key}=${wanted}.${listOf(key, values)}`]
  })
  return sentences.length === 0 ? undefined : { code: 'unknown_group', message: sentences.join(' '), count: sentences.length }
}

function listOf(key: string, values: ReadonlySet<unknown>): string {
  const texts = [...values].filter((value) => typeof value === 'string')
  if (texts.length === 0) return ''
  if (texts.length <= MOST_LISTED) return ` "${key}" can be ${oneOf(texts)}.`
  return ` "${key}" can be ${texts.slice(0, MOST_LISTED).join(', ')} or one of ${texts.length - MOST_LISTED} others.`
}
