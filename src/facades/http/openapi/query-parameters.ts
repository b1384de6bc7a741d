import { z } from '@hono/zod-openapi'
import { acceptedByList, type ListInputs, plainFilter } from '../../../engine/shapes.ts'
import {
  ALL_PARAMETERS,
  PARAMETERS,
  type ParameterDefinition,
  type ParameterName,
  SPEC_FIELDS,
} from '../../presentation/parameters.ts'

/** Parameters of the table by name. `words` replaces descriptions. */
export function named(
  names: readonly ParameterName[],
  words: { readonly [Name in ParameterName]?: string } = {},
): readonly ParameterDefinition[] {
  return names.map((name) => ({ ...PARAMETERS[name], description: words[name] ?? PARAMETERS[name].description }))
}

/** The meaning of a filter on a field of subscriptions, by the rows of the list. */
const BY_SUBSCRIPTION = {
  all: 'A field of the subscription, such as `billing_period`, filters the rows.',
  some: 'A field of the subscription, such as `billing_period`, filters the rows about a subscription, and other rows by their customers.',
  none: 'A field of the subscription, such as `billing_period`, keeps the rows of customers with such a running subscription.',
}

/** Parameters of records. */
export function recordParameters(inputs: ListInputs, words: Parameters<typeof named>[1]): readonly ParameterDefinition[] {
  const { fields, statuses } = inputs
  const keys = fields.map(({ key }) => `\`${key}\``).join(', ')
  const plain = fields.map((field) => plainFilter(field, field.key === 'status' ? statuses : field.known))
  const meaning = BY_SUBSCRIPTION[inputs.subscriptions ?? 'none']
  const filter = `\`key=value\`. Keys: ${keys}, and every field of a segment. ${meaning} A field of the customer, such as \`customer_country\` or \`attr.tier\`, keeps the rows of customers that match now. Repeat a key to match any of its values.`
  return [...plain, ...named(acceptedByList(inputs), { ...words, filter })]
}

/** The query string of a path for the document. */
export function queryOf(parameters: readonly ParameterDefinition[]) {
  const entries = parameters.map(({ name, type, wire, description }) => {
    const whole = wire === 'once' ? type.schema : z.array(type.schema)
    return [name, whole.optional().meta({ param: { description } })] as const
  })
  return z.object(Object.fromEntries(entries))
}

// In a body, an empty list or text is refused. In a query string it counts as absent.
function notEmpty(schema: z.ZodType): z.ZodType {
  const isOfTexts = schema instanceof z.ZodArray && schema.element instanceof z.ZodString && schema.meta() === undefined
  if (isOfTexts) return schema.min(1).meta({ contains: { type: 'string', minLength: 1 } })
  return schema instanceof z.ZodString && schema.meta() === undefined ? schema.min(1) : schema
}

/** The `spec` of a body for the document. A field that replaces two parameters is a list of their two values. */
export function specSchema() {
  const fields = SPEC_FIELDS.map((field) => {
    const own = ALL_PARAMETERS.filter(({ places }) => places.some((place) => place === `spec.${field}`))
    const [first, second] = own.map(({ type, description }) => {
      const schema = notEmpty(type.field ?? type.schema)
      return schema.description === undefined ? schema.describe(description) : schema
    })
    const schema =
      first === undefined || second === undefined
        ? first
        : z.array(first).min(2).max(2).describe(`${first.description} ${second.description}`)
    return [field, (schema ?? z.unknown()).optional()] as const
  })
  return z
    .strictObject(Object.fromEntries(fields))
    .meta({ id: 'QuerySpec', description: 'Dimensions, filters, dates and segments of the query' })
}
