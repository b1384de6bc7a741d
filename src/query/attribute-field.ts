import { ident, sql } from '../compiler/fragment.ts'
import { defineField, type Field, type FieldType } from './field.ts'
import { groupableFields, type QueryInputs } from './inputs.ts'

const PREFIX = 'attr.'

/** What the query layer needs to know of an attribute. */
export interface AttributeNaming {
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
    description: 'Attribute of the customer, as it is now.',
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
