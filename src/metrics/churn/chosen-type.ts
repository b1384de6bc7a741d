import { refuse } from '../../query/issues.ts'
import { mustBe, oneOf } from '../../query/messages.ts'
import { isAbsent } from '../../query/raw-parameters.ts'

/** `type` says the same as `query_type`: the query that either names. AppError where it names none, or where they differ. */
export function chosenType<Name extends string>(
  query_type: Name | undefined,
  raw: unknown,
  queries: Readonly<Record<Name, unknown>>,
): Name | undefined {
  const type = Array.isArray(raw) ? raw[0] : raw
  if (isAbsent(type)) return query_type
  const available = Object.keys(queries).sort() as Name[]
  const chosen = available.find((name) => name === type)
  if (chosen === undefined) {
    throw refuse('invalid_value', 'params.type', mustBe('type', oneOf(available), type), {
      value: type,
      known: available,
      context: { available },
    })
  }
  if (query_type !== undefined && query_type !== chosen) {
    const message = mustBe('type', `the same as "query_type", "${query_type}"`, type)
    throw refuse('invalid_value', 'params.type', message, { value: type })
  }
  return chosen
}
