import type { InferredPart } from '../ports/session.ts'

/** A note about an answer that is still correct (http-api.md 1.1). */
export interface Warning {
  readonly code:
    | 'unpriced_plan'
    | 'future_clamped'
    | 'forecast'
    | 'unused_parameter'
    | 'inferred'
    | 'partial'
    | 'replica_lagging'
    | 'prices_in_doubt'
    | 'missing_fx_rate'
    | 'unknown_group'
    | 'unknown_time_zone'
    | 'unknown_value'
    | 'unnamed_account'
  readonly message: string
  readonly count?: number
  /** Of `inferred`: the parts that the connector names, with the number of rows of each. */
  readonly parts?: readonly InferredPart[]
}
