import * as z from 'zod'

/** The options of definitions.md section 15 that can be set; the first choice is the default. */
export const definitionsSchema = z.strictObject({
  base_currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'three capital letters')
    .optional(),
  mrr_usage: z.enum(['mean3', 'off']).default('mean3'),
  allow_unpriced: z.boolean().default(false),
  test_accounts: z.enum(['exclude', 'include']).default('exclude'),
  derive_fixed_term_end: z.boolean().default(true),
})

export type Definitions = z.infer<typeof definitionsSchema>
