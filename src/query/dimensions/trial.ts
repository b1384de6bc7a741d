import { sql } from '../../compiler/fragment.ts'
import { defineField, type Field } from '../field.ts'

/** Instants of a trial; each narrows the trials that count, in every figure alike. */
export const TRIAL_TIME_FIELDS: readonly Field[] = [
  defineField({
    key: 'started_at',
    type: 'timestamp',
    description: 'Begin of the trial.',
    constant: 'always',
    expression: () => sql`fact.started_at`,
  }),
  defineField({
    key: 'converted_at',
    type: 'timestamp',
    description: 'Instant at which the trial converted; null while it has not.',
    constant: 'always',
    expression: () => sql`fact.converted_at`,
  }),
  defineField({
    key: 'expired_at',
    type: 'timestamp',
    description: 'End of a trial that did not convert.',
    constant: 'always',
    expression: () => sql`fact.expired_at`,
  }),
]
