import { sql } from '../../compiler/fragment.ts'
import { defineField } from '../field.ts'

/** Month of service of a usage charge; narrows the charges that count. */
export const PERIOD_START_FIELD = defineField({
  key: 'period_start',
  type: 'date',
  description: 'First day of the month of service.',
  constant: 'always',
  expression: () => sql`fact.service_month`,
})
