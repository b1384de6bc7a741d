import type { components } from '../../client/index.ts'

type AttributeType = components['schemas']['AttributeType']

/** Types of attributes as people read them. */
export const TYPE_TEXTS: Readonly<Record<AttributeType, string>> = {
  string: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  timestamp: 'Date or time',
}
