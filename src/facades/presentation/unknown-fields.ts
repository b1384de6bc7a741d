import type { Issue } from '../../core/errors.ts'
import { atMost, collectIssues, withoutContext } from '../../query/issues.ts'
import { unknownField } from '../../query/places.ts'

/** Issues about fields of a body that are not known where they stand; near names for the first ones. */
export function unknownFields(parent: string, names: readonly string[], known: readonly string[]): readonly Issue[] {
  const { report, issues } = collectIssues()
  for (const name of atMost(names, parent, 'unknown fields', report)) {
    report('validation_failed', `${parent}.${name}`, unknownField(name), { value: name, known })
  }
  return issues.map(withoutContext)
}
