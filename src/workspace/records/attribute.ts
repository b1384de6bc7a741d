import * as z from 'zod'
import { ATTRIBUTE_TYPES, MOST_KEYS_AT_ONCE } from '../../core/attribute.ts'
import { attributeKeyFault, TEXT_LENGTH, WHOLE_DIGITS } from '../../core/attribute-value.ts'
import { isObject } from '../../core/json.ts'
import { defineBody, shownAs } from './body.ts'
import { defineRecord } from './define-record.ts'
import { choice, DESCRIPTION, INSTANT, refusal, STORABLE, text } from './fields.ts'

const KEY = {
  minLength: 1,
  maxLength: 128,
  pattern: String.raw`^[^=\s\x00-\x1f\x7f-\x9f]([^=\x00-\x1f\x7f-\x9f]*[^=\s\x00-\x1f\x7f-\x9f])?$`,
}

const key = z
  .string({ error: refusal('key', 'text') })
  .superRefine((given, check) => {
    const fault = attributeKeyFault(given)
    if (fault !== undefined) check.addIssue({ code: 'custom', message: fault })
  })
  .meta({ ...KEY, description: 'No "=", no control characters, no leading or trailing spaces' })

/** Type of an attribute. */
export const ATTRIBUTE_TYPE = choice('type', ATTRIBUTE_TYPES).meta({ id: 'AttributeType' })

/** A value of an attribute in its type. */
export const ATTRIBUTE_VALUE = z.union([z.string(), z.number(), z.boolean()]).meta({ id: 'AttributeValue' })

/** A custom field of customers. */
export const ATTRIBUTE = defineRecord('Attribute', {
  description: 'A custom field of customers',
  fixed: { key, type: ATTRIBUTE_TYPE },
  fields: { label: text('label', 1, 200).nullable().optional(), description: DESCRIPTION },
  // Those of the billing engine have any key and label.
  answer: ({ type, description }) => ({
    key: z.string(),
    label: z.string(),
    type,
    source: z.string().describe('Origin: `csv`, `api`, `computed` or the connector type'),
    description,
    editable: z.boolean().describe('False for attributes that the billing engine owns and for computed ones'),
    created_at: INSTANT.nullable(),
    updated_at: INSTANT.nullable(),
  }),
})

const value = z.union([
  z.string().meta({ maxLength: TEXT_LENGTH, pattern: STORABLE }),
  z
    .number()
    .gt(-(10 ** WHOLE_DIGITS))
    .lt(10 ** WHOLE_DIGITS),
  z.boolean(),
])

/** Body that sets values of a customer. Keys and values are checked one by one. */
export const ATTRIBUTE_VALUES = defineBody('AttributeValues', {
  attributes: shownAs(
    // Does not use a Zod record, because it would lose the key "__proto__".
    z.custom<Readonly<Record<string, unknown>>>(isObject, { error: refusal('attributes', 'an object of keys and values') }),
    z.record(z.string(), value).meta({ propertyNames: KEY, maxProperties: MOST_KEYS_AT_ONCE }),
  ),
})
