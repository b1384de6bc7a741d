import { attributeKeyOf } from '../../query/attributes.ts'
import type { Field } from '../../query/field.ts'
import type { RunContext } from '../run.ts'

/** The values that are known without a look at the rows. */
export function fixedValues(
  { key, values, expression: _, ...field }: Field,
  { deps, session }: RunContext,
): readonly string[] | undefined {
  const name = key.slice(key.lastIndexOf('.') + 1)
  const { sources, currencies } = session.connector
  if (attributeKeyOf(key) !== undefined) return undefined
  if (values.length > 0) return values
  if (name === 'source') return [deps.connector.type]
  if (name === 'source_id') return sources.map(({ source_id }) => source_id)
  return name === 'currency' && field.isUpperCase ? currencies : undefined
}

const PERSONAL =
  /(^|\.)(id|customer_id|customer_name|name|email|external_key|bundle_id|bundle_external_key|company_name|city|state|postal_code)$/

/** True for a field whose values are names, addresses, keys or ids. */
export function isPersonal({ key }: Field): boolean {
  return attributeKeyOf(key) === undefined && PERSONAL.test(key)
}
