import type { SqlCatalog } from '../compiler/catalog.ts'
import type { DatabaseConnector } from '../connector-kit/connector.ts'
import type { Clock } from '../core/clock.ts'
import type { Definitions } from '../core/definitions.ts'
import type { Executor, ImportAttributes, Store } from './ports.ts'
import type { ReadThrough } from './read-through.ts'

export interface ReplicaPolicy {
  readonly max_lag_seconds: number
  readonly lag_policy: 'warn' | 'refuse'
  readonly require_read_only: boolean
}

/** What an engine is made of. */
export interface EngineDependencies {
  readonly executor: Executor
  readonly connector: DatabaseConnector
  /** Null when the store is switched off. */
  readonly store: Store | null
  readonly clock: Clock
  readonly definitions: Definitions
  readonly limits: { readonly max_rows: number }
  readonly replica: ReplicaPolicy
  readonly catalog: SqlCatalog
  /** Reads CSV files of attributes; where it is absent nothing can be imported. */
  readonly importAttributes?: ImportAttributes
  /** Absent: every answer comes from the replica. */
  readonly cache?: ReadThrough | undefined
}
