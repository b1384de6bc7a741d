import * as z from 'zod'
import { PARAMETERS, type ParameterDefinition } from '../../query/parameters.ts'

function parameter(name: string, schema: z.ZodType, description: string): ParameterDefinition {
  return Object.freeze({ name, schema: schema.describe(description), description, isRepeatable: false })
}

/** Parameters of the data endpoints beside the common ones (http-api.md 5). */
export const DATA_PARAMETERS = {
  limit: parameter('limit', z.coerce.number().int().min(1).max(1000), 'Rows of the page, 1 to 1000. Default 100.'),
  offset: parameter('offset', z.coerce.number().int().min(0), 'Rows before the page. Default 0.'),
  search: parameter(
    'search',
    z.string(),
    'Part of a customer name, e-mail address or external key, in capitals or not, or an id as a whole.',
  ),
  source_id: parameter('source_id', z.string(), 'Only this tenant of the engine.'),
  customer_id: parameter('customer_id', z.string(), 'Only what belongs to the account of this id.'),
} as const satisfies Record<string, ParameterDefinition>

export type DataParameter = keyof typeof DATA_PARAMETERS

/** The common parameters that narrow a list by a day of its rows. */
export const DAY_PARAMETERS: readonly ParameterDefinition[] = [
  { ...PARAMETERS.start, description: 'First invoice_date (local to the account), included.' },
  { ...PARAMETERS.end, description: 'Last invoice_date (local to the account), included.' },
]
