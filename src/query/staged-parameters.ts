/** Reserved parameter names. They are refused, never ignored. */
export const STAGED_PARAMETERS: readonly string[] = [
  'grain',
  'pause',
  'fx',
  'nrr_reactivation',
  'refunds',
  'tax',
  'lifetime',
  'swap_window',
  'reactivation_window',
  'time_zone',
  'known_at',
]
