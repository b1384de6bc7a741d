import { isTenantField } from '../../query/dimensions/source.ts'
import type { Field } from '../../query/field.ts'
import { compareCodePoints } from '../../query/order.ts'
import type { RunContext } from '../run.ts'
import { fixedValues, isPersonal } from './fixed-values.ts'
import { MOST_READ, readHeldValues } from './held-values.ts'

/** The values that a filter on a field may name (http-api.md 2). */
export interface FieldValues {
  /** In ascending order (fixed values in their usual order), at most a thousand. Empty if the values are not listed. */
  readonly values: readonly string[]
  /** The number of values that contain the search. Null: the values are not listed, because they identify customers or are no texts. */
  readonly count: number | null
}

const UNLISTED: FieldValues = { values: [], count: null }

/**
 * The values that rows have at any time, or all values of a field with few fixed ones. `fields` are the fields of one name in the queries of a
 * metric. `search` is a part of a value, in any letters.
 */
export async function fieldValues(
  fields: readonly Field[],
  search: string | undefined,
  context: RunContext,
): Promise<FieldValues> {
  const [first] = fields
  if (first?.type === 'boolean') return matching(['true', 'false'], search)
  if (first?.type !== 'string' || isPersonal(first)) return UNLISTED
  const fixed = fields.map((field) => closedValues(field, context) ?? fixedValues(field, context))
  if (fixed.every((values) => values !== undefined)) return matching(fixed.flat(), search)
  const asked = { wanted: [], readsOnlyWanted: false, ...(search !== undefined && { search }) }
  const held = await readHeldValues(
    fields.map((field) => ({ field, ...asked })),
    { isForecast: false },
    context,
  )
  const values = [...new Set(held.flatMap((one) => one.values))].sort(compareCodePoints)
  // Two fields of one name share values, so their numbers do not add up.
  return { values: values.slice(0, MOST_READ), count: Math.max(values.length, ...held.map(({ count }) => count ?? 0)) }
}

function closedValues(field: Field, { session }: RunContext): readonly string[] | undefined {
  if (field.known.length > 0) return field.known
  return isTenantField(field) ? session.connector.sources.map(({ name }) => name) : undefined
}

/** The values of a field that are known without a database, such as the types of accounts in the books. */
export function fixedFieldValues(fields: readonly Field[], search: string | undefined): FieldValues {
  const fixed = fields.flatMap(({ known, values }) => (known.length > 0 ? known : values))
  return fixed.length === 0 ? UNLISTED : matching(fixed, search)
}

function matching(values: readonly string[], search = ''): FieldValues {
  const part = search.toLowerCase()
  const found = [...new Set(values)].filter((value) => value.toLowerCase().includes(part))
  return { values: found.slice(0, MOST_READ), count: found.length }
}
