import * as z from 'zod'

/** The options of definitions.md section 15. The first choice is the default. */
export const definitionsSchema = z.strictObject({
  base_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'three capital letters')
    .optional()
    .describe('Currency that amounts are converted to. Default: the only currency of the counted customers, otherwise USD'),
  mrr_usage: z
    .enum(['mean3', 'off'])
    .default('mean3')
    .describe('Usage in MRR: the mean of the last three complete months, or none'),
  allow_unpriced: z
    .boolean()
    .default(false)
    .describe('Leave out subscriptions without a catalog price, with a warning, instead of refusing the query'),
  test_accounts: z.enum(['exclude', 'include']).default('exclude').describe('Whether accounts tagged TEST count'),
  derive_fixed_term_end: z
    .boolean()
    .default(true)
    .describe('End a fixed-term subscription at the end of its term if the engine has recorded no end'),
})

export type Definitions = z.infer<typeof definitionsSchema>

/** D10: the configured currency, else the only one in use, else USD. */
export function baseCurrency(definitions: Definitions, currencies: readonly string[]): string {
  const [only, ...others] = currencies
  return definitions.base_currency ?? (only !== undefined && others.length === 0 ? only : 'USD')
}
