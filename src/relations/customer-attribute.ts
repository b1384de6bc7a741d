import { column, defineRelation } from './define-relation.ts'

/** What the engine itself knows of its customers beyond the account (http-api.md 7). */
export const customerAttribute = defineRelation({
  name: 'customer_attribute',
  kind: 'base',
  description: 'One row per attribute of a customer, with its current value. Leaves out customers that do not count.',
  grain: ['customer_key', 'attribute_key'],
  has_window: false,
  columns: [
    column('customer_key', 'key', 'Joins `customer`.'),
    column('source_id', 'text', 'Tenant of the engine.'),
    column('customer_id', 'text', 'Id of the account.'),
    column('attribute_key', 'text', 'Name of the field, or `tag.` and the name of the tag.'),
    column('attribute_value', 'text', 'The value as the engine has it; `true` for a tag.'),
    column('is_tag', 'boolean', 'A tag, so its type is boolean.'),
    column('position_in_engine', 'integer', 'Grows with the age of the engine: the lowest of a key decides its type.'),
  ],
})
