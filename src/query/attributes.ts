import { type Fragment, ident, join, relation, sql } from '../compiler/fragment.ts'
import { type Audience, audienceFilters } from './audience.ts'
import { defineField, type Field, type FieldType } from './field.ts'
import { groupableFields, type QueryInputs } from './inputs.ts'

const PREFIX = 'attr.'

/** An attribute as the query layer sees it. */
interface AttributeNaming {
  readonly key: string
  readonly label: string
  readonly type: Extract<FieldType, 'string' | 'number' | 'boolean' | 'timestamp'>
}

/** Filter field of an attribute. It has no expression, because the matching customers are found first. */
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

/** Dimension of an attribute, the nth of a request: the current value of the customer, null without one (D61). */
export function attributeDimension(field: Field, position: number): Field {
  // No dimension key begins with an underscore.
  const column = `_attribute_${position}`
  return defineField({ ...field, column, joins: ['attribute'], expression: () => sql`valued.${ident(column)}` })
}

/** The attribute's key in a name `attr.<key>`; undefined for other names. */
export function attributeKeyOf(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
}

/** True if the query can group by attributes: a query that can group by customer can group by their attributes. */
export function groupsByAttributes(inputs: QueryInputs, isSeries: boolean): boolean {
  return groupableFields(inputs, isSeries).some(({ key }) => key === 'customer_id')
}

/** One attribute and the relation of its values, with one row per customer that has a value. */
export interface AttributeUse {
  readonly key: string
  readonly relation: string
}

/** The attributes among these fields, each once, with the relations of their values. */
export function attributeUses(fields: readonly Field[]): readonly AttributeUse[] {
  const keys = fields.flatMap(({ key }) => attributeKeyOf(key) ?? [])
  return [...new Set(keys)].map((key, index) => ({ key, relation: `attribute_${index + 1}` }))
}

/** `relation.attribute_value` of a request that groups by attributes, and the attributes it reads. */
interface CompiledValues {
  /** Columns customer_key and those of the dimensions; one row per customer. */
  readonly values: Fragment
  readonly attributes: readonly AttributeUse[]
}

/**
 * Values of the attributes that a request groups by, in one row per customer; undefined without any. An attribute that also filters is
 * read once, so its relation has the name that the audience gives it.
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

/** True if neither the key nor the value of an attribute looks like personal data. */
export function isImpersonal(key: string, value: string | boolean): boolean {
  if (typeof value === 'boolean') return true
  return !/mail|name|phone|mobile|address|contact|street|birth/i.test(key) && value.length <= 64 && !value.includes('@')
}
