import { sql } from '../../compiler/fragment.ts'
import { MOVEMENT_TYPES } from '../../core/enums.ts'
import { defineField } from '../field.ts'

/** Movement types in the order of answers (http-api.md 3.2); the last two are no movements but close the sums. */
export const MOVEMENT_ORDER: readonly string[] = [...MOVEMENT_TYPES, 'transfer', 'fx_effect']

/** Kind of movement: a key of every movement row, so TypeScript groups and filters by it. */
export const MOVEMENT_TYPE_DIMENSION = defineField({
  key: 'movement_type',
  type: 'string',
  description: 'new, expansion, contraction, churn or reactivation. Levels have none: mrr and arr are then null.',
  constant: 'always',
  order: MOVEMENT_ORDER,
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
