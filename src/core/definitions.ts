import * as z from 'zod'

/** The options of definitions.md section 15 that can be set; the first choice is the default. */
export const definitionsSchema = z.strictObject({
  base_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'three capital letters')
    .optional()
    .describe('Currency that money is converted to; absent: the only currency of the customers that count, else USD'),
  mrr_usage: z
    .enum(['mean3', 'off'])
    .default('mean3')
    .describe('Usage in MRR: the mean of the last three complete months, or none'),
  allow_unpriced: z
    .boolean()
    .default(false)
    .describe('Leave out subscriptions that no catalog prices, with a warning, instead of refusing to answer'),
  test_accounts: z.enum(['exclude', 'include']).default('exclude').describe('Whether accounts tagged TEST count'),
  derive_fixed_term_end: z
    .boolean()
    .default(true)
    .describe('End a fixed-term subscription by its term where the engine has written no end'),
})

export type Definitions = z.infer<typeof definitionsSchema>

/** D10: the configured currency, else the only one in use, else USD. */
export function baseCurrency(definitions: Definitions, currencies: readonly string[]): string {
  const [only, ...others] = currencies
  return definitions.base_currency ?? (only !== undefined && others.length === 0 ? only : 'USD')
}
