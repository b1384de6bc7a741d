import type { SqlCatalog } from '../compiler/catalog.ts'
import type { CheckFinding, DatabaseConnector } from '../connector-kit/connector.ts'
import type { AuthSettings } from '../core/auth.ts'
import type { Clock } from '../core/clock.ts'
import type { Definitions } from '../core/definitions.ts'
import type { Registry } from '../metrics/registry.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'
import type { ImportAttributes } from '../ports/attribute-store.ts'
import type { Executor } from '../ports/executor.ts'
import type { ImportExpenses } from '../ports/expense-store.ts'
import type { ImportRates } from '../ports/fx-rate-store.ts'
import type { ReadThrough } from '../ports/read-through.ts'
import type { Store } from '../ports/store.ts'

export interface ReplicaPolicy {
  readonly max_lag_seconds: number
  readonly lag_policy: 'warn' | 'refuse'
  readonly require_read_only: boolean
}

/** Connections to the billing database beside those that answer questions. */
export interface Aside {
  /** For the state of the replica and for readiness: nothing that a client may ask at length comes before them. */
  readonly probe: Executor
  /** For discovery and the stored resources. */
  readonly resources: Executor
}

/** What an engine is made of. */
export interface EngineDependencies {
  /** Answers questions. */
  readonly executor: Executor
  /** Connections for what must not wait behind answers; absent where the database has but one. */
  readonly aside?: Aside | undefined
  readonly connector: DatabaseConnector
  /** What `check` says of the addresses of database and store. */
  readonly addresses?: readonly CheckFinding[]
  /** Every metric that can be asked. */
  readonly registry: Registry
  /** Null when the store is switched off. */
  readonly store: Store | null
  /** Configured name of the workspace in the store; absent: it follows from the connector's sources. */
  readonly workspace?: string | undefined
  readonly clock: Clock
  readonly definitions: Definitions
  /** `attribute_keys`: most stored attributes, 1,000 if absent. */
  readonly limits: { readonly max_rows: number; readonly attribute_keys?: number }
  readonly replica: ReplicaPolicy
  readonly catalog: SqlCatalog
  /** Reads CSV files of attributes; where it is absent nothing can be imported. */
  readonly importAttributes?: ImportAttributes
  /** The same for files of bills and expenses. */
  readonly importExpenses?: ImportExpenses
  /** The same for files of exchange rates. */
  readonly importRates?: ImportRates
  /** Accounting platforms whose companies can be connected, those without configuration too. */
  readonly platforms?: readonly AccountingPlatform[]
  /** Who may ask; everybody if absent. */
  readonly auth?: AuthSettings
  /** Told of failures of ours in what nobody waits for. */
  readonly onFailure?: (error: unknown) => void
  /** Absent: every answer comes from the replica. */
  readonly cache?: ReadThrough | undefined
}
