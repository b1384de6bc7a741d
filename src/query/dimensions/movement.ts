import { sql } from '../../compiler/fragment.ts'
import { defineField } from '../field.ts'

/** Kind of movement: a key of every movement row, so TypeScript groups and filters by it. */
export const MOVEMENT_TYPE_DIMENSION = defineField({
  key: 'movement_type',
  type: 'string',
  description: 'new, expansion, contraction, churn or reactivation. Levels have none: mrr and arr are then null.',
  constant: 'always',
  expression: () => null,
})

/** Component that moved; of a level, the component itself, which each row carries side by side. */
export const MOVEMENT_SOURCE_DIMENSION = defineField({
  key: 'movement_source',
  type: 'string',
  description: 'subscription or usage: the component of MRR.',
  constant: 'always',
  expression: ({ fact }) => (fact === 'level' ? null : sql`fact.movement_source`),
})

/** When a movement happened; narrows movements and nothing else. */
export const OCCURRED_AT_FIELD = defineField({
  key: 'occurred_at',
  type: 'timestamp',
  description: 'Instant of the movement.',
  reads: ['mrr_movement'],
  constant: 'always',
  expression: () => sql`fact.occurred_at`,
})
