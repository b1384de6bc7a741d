import { type Fragment, fn, ident, relation as relationOf, sql, value } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import type { AttributeType, AttributeValue } from '../../core/attribute.ts'
import type { AttributeUse } from '../../query/attributes.ts'

/** Columns source_id (where there are several sources), customer_id and attribute_value: one attribute's values for a statement. */
export type ValueRelation = InlineRelation | Fragment

const COLUMN_TYPES = { string: 'text', number: 'decimal', boolean: 'boolean', timestamp: 'timestamp' } as const

/** Values that travel with the statement. */
export function inlineValues(
  { key, relation }: AttributeUse,
  type: AttributeType,
  values: readonly AttributeValue[],
  hasManySources: boolean,
): InlineRelation {
  // A customer's id says who it is where there is one source only; the source would double what travels.
  return {
    name: relation,
    about: {
      subject: `The attribute "${key}"`,
      remedy: 'A side store that the billing database can read itself (store.colocated) has no such limit.',
    },
    columns: [
      ...(hasManySources ? [{ name: 'source_id', type: 'text' } as const] : []),
      { name: 'customer_id', type: 'text' },
      { name: 'attribute_value', type: COLUMN_TYPES[type] },
    ],
    rows: values.map(({ source_id, customer_id, value: stored }) => [
      ...(hasManySources ? [source_id] : []),
      customer_id,
      stored,
    ]),
  }
}

/** Values of a side store whose tables the billing database can read. */
export function colocatedValues(
  { schema, workspace }: { readonly schema: string; readonly workspace: string },
  key: string,
  type: AttributeType,
): Fragment {
  return sql`(
  select entry.source_id, entry.customer_id, entry.${ident(`value_${type}`)} as attribute_value
  from ${ident(schema)}.${ident('attribute_value')} as entry
  where entry.workspace = ${value(workspace, 'text')} and entry.attribute_key = ${value(key, 'text')}
)`
}

/** Texts and booleans of the engine itself; what is neither true nor false is no boolean. */
export function engineValues(key: string, type: 'string' | 'boolean'): Fragment {
  const given = fn('exact_text', sql`given.attribute_value`)
  const read =
    type === 'string'
      ? sql`given.attribute_value`
      : sql`case when ${given} = 'true' then true when ${given} = 'false' then false end`
  return sql`(
  select given.source_id, given.customer_id, ${read} as attribute_value
  from ${relationOf('customer_attribute')} as given
  where given.attribute_key = ${value(key, 'text')}
)`
}
