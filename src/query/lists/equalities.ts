import type { Condition } from '../condition.ts'
import { collectIssues, throwIssues } from '../issues.ts'
import type { Raw } from '../raw-parameters.ts'
import { placeOfFilter } from './plain-filters.ts'

/** Values wanted of each field, for lists whose fields are only compared with `=`. AppError `invalid_operator` with every other comparison. */
export function equalitiesIn(conditions: readonly Condition[], params: Raw): ReadonlyMap<string, readonly string[]> {
  const { report, issues } = collectIssues()
  const wanted = new Map<string, readonly string[]>()
  for (const { field, operator, values } of conditions) {
    if (operator !== '=' && operator !== 'in')
      report('invalid_operator', placeOfFilter(field.key, params), `"${field.key}" is compared with =.`, { value: operator })
    wanted.set(field.key, values.map(String))
  }
  throwIssues(issues)
  return wanted
}
