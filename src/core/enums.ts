/** Canonical sets (definitions.md D22, D28, D31). A value outside its set is an error. */
export const MOVEMENT_TYPES = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const
export type MovementType = (typeof MOVEMENT_TYPES)[number]

export const MOVEMENT_SOURCES = ['subscription', 'usage'] as const
export const SUBSCRIPTION_STATUSES = ['pending', 'trialing', 'active', 'paused', 'canceled'] as const
/** States of a subscription that is not over. */
export const RUNNING_STATUSES = ['trialing', 'active', 'paused'] as const
/** Kinds of plan phases (D24). `evergreen` has no end. */
export const PHASE_TYPES = ['trial', 'discount', 'fixedterm', 'evergreen'] as const
export type PhaseType = (typeof PHASE_TYPES)[number]
export const PLAN_INTERVALS = ['day', 'week', 'month', 'year'] as const
export const PRICING_MODELS = ['flat', 'usage_based'] as const
export const USAGE_TYPES = ['licensed', 'metered'] as const
export const COLLECTION_METHODS = ['automatic', 'manual'] as const
export const START_REASONS = [
  'bundle_transfer',
  'start',
  'overdue',
  'pause',
  'resume',
  'plan',
  'phase',
  'quantity',
  'price',
  'usage',
] as const
export const END_REASONS = ['bundle_transfer', 'cancel', 'expiry', 'base_end'] as const
