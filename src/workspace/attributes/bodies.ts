import * as z from 'zod'
import { ATTRIBUTE_TYPES } from '../../core/attribute.ts'
import { attributeKeyFault } from '../../core/attribute-value.ts'
import { isObject } from '../../core/json.ts'
import { objectBody, refusal, textField } from '../../query/body.ts'
import { oneOf } from '../../query/issues.ts'

const LABEL = textField('label', 1, 200).nullable().optional()
const DESCRIPTION = textField('description', 0, 10_000).nullable().optional()

const KEY = z.string({ error: refusal('key', 'text') }).superRefine((key, check) => {
  const fault = attributeKeyFault(key)
  if (fault !== undefined) check.addIssue({ code: 'custom', message: fault })
})

/** Body that declares an attribute. */
export const ATTRIBUTE_BODY = objectBody({
  key: KEY,
  type: z.enum(ATTRIBUTE_TYPES, { error: refusal('type', oneOf(ATTRIBUTE_TYPES)) }),
  label: LABEL,
  description: DESCRIPTION,
})

/** Body that changes label and description of an attribute. */
export const ATTRIBUTE_CHANGE = objectBody({ label: LABEL, description: DESCRIPTION })

/** Body that sets values of a customer. Keys and values are checked one by one. */
export const VALUES_BODY = objectBody({
  // Does not use a Zod record, because it would lose the key "__proto__".
  attributes: z.custom<Readonly<Record<string, unknown>>>(isObject, {
    error: refusal('attributes', 'an object of keys and values'),
  }),
})
