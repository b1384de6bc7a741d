import { type Fragment, ident, join, relation, sql } from '../compiler/fragment.ts'
import { type Audience, audienceFilters } from './audience.ts'
import { defineField, type Field, type FieldType } from './field.ts'
import { groupableFields, type QueryInputs } from './inputs.ts'

const PREFIX = 'attr.'

/** What the query layer needs to know of an attribute. */
interface AttributeNaming {
  readonly key: string
  readonly label: string
  readonly type: Extract<FieldType, 'string' | 'number' | 'boolean' | 'timestamp'>
}

/** The attribute as something to filter by. It has no expression of its own: the set of customers is found beforehand. */
export function attributeField({ key, label, type }: AttributeNaming): Field {
  return defineField({
    key: `${PREFIX}${key}`,
    label,
    type,
    description: 'Current value of this attribute of the customer.',
    constant: 'always',
    expression: () => null,
  })
}

/** The same as something to group by, the nth of a request: the value that the customer has now, null without one (D61). */
export function attributeDimension(field: Field, position: number): Field {
  // No key of a dimension begins like that.
  const column = `_attribute_${position}`
  return defineField({ ...field, column, joins: ['attribute'], expression: () => sql`valued.${ident(column)}` })
}

/** Key of the attribute that a name stands for; undefined for other names. */
export function attributeKeyOf(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
}

/** True where attributes are dimensions: what can tell customers apart can tell their attributes. */
export function groupsByAttributes(inputs: QueryInputs, isSeries: boolean): boolean {
  return groupableFields(inputs, isSeries).some(({ key }) => key === 'customer_id')
}

/** Values of one attribute: what `relation.<relation>` holds, one row per customer that has a value. */
export interface AttributeUse {
  readonly key: string
  readonly relation: string
}

/** The attributes that these fields are, each once, with the relations that hold their values. */
export function attributeUses(fields: readonly Field[]): readonly AttributeUse[] {
  const keys = fields.flatMap(({ key }) => attributeKeyOf(key) ?? [])
  return [...new Set(keys)].map((key, index) => ({ key, relation: `attribute_${index + 1}` }))
}

/** `relation.attribute_value` of a request that is grouped by attributes, and what it reads. */
interface CompiledValues {
  /** Columns customer_key and those of the dimensions; one row per customer. */
  readonly values: Fragment
  readonly attributes: readonly AttributeUse[]
}

/**
 * The attributes that a request is grouped by, beside each other; undefined where it is by none. One that narrows it too is read once, so
 * the relations have the names that the audience gives them.
 */
export function compileAttributeValues(
  dimensions: readonly Field[],
  audience: Audience | undefined,
  hasManySources: boolean,
): CompiledValues | undefined {
  const grouped = dimensions.filter(({ key }) => attributeKeyOf(key) !== undefined)
  if (grouped.length === 0) return undefined
  const uses = attributeUses([...audienceFilters(audience).map(({ field }) => field), ...grouped])
  const attributes = grouped.flatMap(({ key }) => uses.find((use) => use.key === attributeKeyOf(key)) ?? [])
  const columns = grouped.map(({ column }, index) => sql`, ${attributeAlias(index)}.attribute_value as ${ident(column)}`)
  const values = sql`(
  select customer.customer_key${join(columns, sql``)}
  from ${relation('customer')} as customer${attributeJoins(attributes, hasManySources)}
)`
  return { values, attributes }
}

/** Alias of the nth attribute that is joined. */
export function attributeAlias(index: number): Fragment {
  return ident(`ca_${index + 1}`)
}

/** The attributes joined to `customer`, each by at most one row. */
export function attributeJoins(uses: readonly AttributeUse[], hasManySources: boolean): Fragment {
  const joins = uses.map((use, index) => {
    const alias = attributeAlias(index)
    const source = hasManySources ? sql` and ${alias}.source_id = customer.source_id` : sql``
    return sql`
  left join ${relation(use.relation)} as ${alias} on ${alias}.customer_id = customer.customer_id${source}`
  })
  return join(joins, sql``)
}
