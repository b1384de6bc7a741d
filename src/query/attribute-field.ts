import { defineField, type Field, type FieldType } from './field.ts'

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

/** Key of the attribute that a name stands for; undefined for other names. */
export function attributeKeyOf(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
}
