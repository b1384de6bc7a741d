import type { IssueSink } from './issues.ts'
import { mustBe, oneOf } from './messages.ts'
import { atMost } from './names-limit.ts'
import type { Given } from './raw-parameters.ts'

/** A field that rows are sorted by. */
export interface OrderTerm {
  readonly field: string
  readonly isDescending: boolean
}

/** `-mrr,plan_id`: names separated by commas, `-` before one that descends. Undefined for what is not written like that. */
export function parseOrder(given: unknown): readonly OrderTerm[] | undefined {
  if (typeof given !== 'string') return undefined
  const names = given.split(',').map((part) => part.trim())
  if (names.some((name) => /^-?$/.test(name))) return undefined
  return names.map((name) => (name.startsWith('-') ? term(name.slice(1), true) : term(name, false)))
}

/** The terms of an `order`, judged against the fields that the rows have: one that they lack and one named twice are reported. */
export function readOrder(
  given: Given<readonly OrderTerm[]> | undefined,
  allowed: readonly string[],
  report: IssueSink,
): readonly OrderTerm[] {
  const { value, where } = given ?? { value: [], where: 'params.order' }
  const terms = atMost(value, where, 'fields to sort by', report)
  for (const [index, { field }] of terms.entries()) {
    if (!allowed.includes(field)) {
      const message = mustBe('order', `fields of the rows (${oneOf(allowed)})`, field)
      report('invalid_value', where, message, { value: field, known: allowed, context: { available: allowed } })
    } else if (terms.findIndex((other) => other.field === field) < index) {
      report('invalid_value', where, `"order" names "${field}" twice.`, { value: field })
    }
  }
  return terms
}

function term(field: string, isDescending: boolean): OrderTerm {
  return { field, isDescending }
}
