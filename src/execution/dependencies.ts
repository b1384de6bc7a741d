import type { SqlCatalog } from '../compiler/catalog.ts'
import type { CheckFinding, DatabaseConnector } from '../connector-kit/connector.ts'
import type { AuthSettings } from '../core/auth.ts'
import type { Clock } from '../core/clock.ts'
import type { Definitions, SetOptions } from '../core/definitions.ts'
import type { AppError, ConfigurationError } from '../core/errors.ts'
import type { LedgerSettings } from '../core/ledger-accounts.ts'
import type { Registry } from '../metrics/registry.ts'
import type { AccountingPlatform } from '../ports/accounting.ts'
import type { ImportAttributes } from '../ports/attribute-store.ts'
import type { Executor } from '../ports/executor.ts'
import type { ImportExpenses } from '../ports/expense-store.ts'
import type { FetchRates, ImportRates } from '../ports/fx-rate-store.ts'
import type { ReadGoals } from '../ports/goal-store.ts'
import type { LakeCheck, LakeFigures } from '../ports/lake.ts'
import type { ReadThrough } from '../ports/read-through.ts'
import type { Store } from '../ports/store.ts'

export interface ReplicaPolicy {
  readonly max_lag_seconds: number
  readonly lag_policy: 'warn' | 'refuse'
  readonly require_read_only: boolean
}

/** Connections to the billing database that are not used for answers. */
export interface ReservedConnections {
  /** Checks the replica and readiness. Long queries of clients never delay these checks. */
  readonly probe: Executor
  /** Serves discovery and the stored resources. */
  readonly resources: Executor
}

/** Facts about an installation that no database knows. */
export interface SetupFacts {
  /** Steps that the configuration marks as done. */
  readonly done: readonly string[]
  /** True if other machines can reach the service. */
  readonly isReachable: boolean
  /** The side store, without its password, and the command that copies it. Null if it is switched off. */
  readonly store: { readonly place: string; readonly backup: string } | null
}

/** The parts of an engine. */
export interface EngineDependencies {
  /** Answers questions. */
  readonly executor: Executor
  /** Connections for requests that must not wait behind answers. Absent: the database has only one connection. */
  readonly reserved?: ReservedConnections | undefined
  readonly connector: DatabaseConnector
  /** Findings of `check` about the addresses of database and store. */
  readonly addresses?: readonly CheckFinding[]
  /** Finding of `check` about the memory and the disk of the cache. Absent: there is no cache. */
  readonly cacheRoom?: (() => Promise<CheckFinding>) | undefined
  /** Facts about the installation, for the steps of the setup. Absent: it has no such steps. */
  readonly setup?: SetupFacts | undefined
  /** All metrics. */
  readonly registry: Registry
  /** Null when the store is switched off. */
  readonly store: Store | null
  /** Configured name of the workspace in the store. Absent: it follows from the connector's sources. */
  readonly workspace?: string | undefined
  readonly clock: Clock
  /** The clock of the times that are written into the store, if answers are as of another one. Absent: `clock`. */
  readonly writeClock?: Clock | undefined
  /** The definitions of requests that name no set. */
  readonly definitions: Definitions
  /** The configured definition sets by name. */
  readonly definition_sets?: Readonly<Record<string, SetOptions>>
  /** Names of accounts in the books of the operator. Absent: our names. */
  readonly ledger?: LedgerSettings
  /** `attribute_keys` is the limit of stored attributes, by default 1,000. Without the limits of statements there is no estimate of their time. */
  readonly limits: {
    readonly max_rows: number
    readonly attribute_keys?: number
    readonly statement_timeout_ms?: number
    readonly session_memory_mb?: number
  }
  readonly replica: ReplicaPolicy
  readonly catalog: SqlCatalog
  /** Reads CSV files of attributes. Absent: they cannot be imported. */
  readonly importAttributes?: ImportAttributes
  /** Reads files of bills and expenses. */
  readonly importExpenses?: ImportExpenses
  /** Reads files of goals. */
  readonly readGoals?: ReadGoals
  /** Reads files of exchange rates. */
  readonly importRates?: ImportRates
  /** Downloads the published exchange rates. Absent: they cannot be fetched. */
  readonly fetchRates?: FetchRates
  /** Accounting platforms whose companies can be connected, including those without configuration. */
  readonly platforms?: readonly AccountingPlatform[]
  /** Access rules. Absent: every caller has full access. */
  readonly auth?: AuthSettings
  /** Called with errors of background work. */
  readonly onFailure?: (error: unknown) => void
  /** Called with the reason why a part is not ready, each time that readiness is checked. */
  readonly onUnready?: (cause: AppError | ConfigurationError) => void
  /** Absent: the replica gives every answer. */
  readonly cache?: ReadThrough | undefined
  /** The state of the lake, if its publications are the cache. */
  readonly lake?: (() => Promise<LakeCheck>) | undefined
  /** Absent: the billing database is not on Trino. */
  readonly lakeFigures?: (() => LakeFigures) | undefined
  /** True if only the cache can answer: the billing tables are in several databases, which no statement reads together. */
  readonly isHeldOnly?: boolean
}
