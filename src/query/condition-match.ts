import { InternalError } from '../core/errors.ts'
import type { Condition } from './condition.ts'

/** Evaluates a condition in TypeScript, on text that is never null, by the same rules as SQL (http-api.md 6.2). */
export function matchesText(condition: Condition, text: string): boolean {
  const values = condition.values.map(String)
  const part = (values[0] ?? '').toLowerCase()
  const lower = text.toLowerCase()
  switch (condition.operator) {
    case '=':
    case 'in':
      return values.includes(text)
    case '!=':
    case 'not in':
      return !values.includes(text)
    case 'contains':
      return lower.includes(part)
    case 'not_contains':
      return !lower.includes(part)
    case 'starts_with':
      return lower.startsWith(part)
    case 'ends_with':
      return lower.endsWith(part)
    case 'is_empty':
      return text === ''
    case 'is_not_empty':
      return text !== ''
    default:
      throw new InternalError(`"${condition.operator}" does not apply to text`)
  }
}
