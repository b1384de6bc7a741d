import type { FxRate } from '../../core/currency.ts'
import type { GrantRequest } from '../../core/grant-request.ts'
import type { Engine, MetricDefinition, RateImportOptions, RateImportResult } from '../../engine/engine.ts'
import type { Outline } from './command.ts'

/** Options of the command line that outrank environment and file. */
export interface OpenOptions {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
}

/** A listening HTTP service. */
export interface RunningService {
  readonly url: string
  /** Whether the dashboard was built and is served. */
  readonly hasDashboard?: boolean
  stop(): Promise<void>
}

/** The product, configured and ready; nothing is connected before it is needed. */
export interface OpenProduct {
  readonly engine: Engine
  /** Issues that a refusal lists at most (`limits.issues`). */
  readonly maxIssues?: number
  /** Opens the store and listens. ConfigurationError when the address cannot be had. */
  serve(): Promise<RunningService>
  close(): Promise<void>
}

/** The side store alone. */
export interface OpenStore {
  /** Imports a file of rates, wide ones into the configured base currency unless told; AppError `invalid_csv`, UsageError when the file cannot be read. */
  importFx(path: string, options: RateImportOptions): Promise<RateImportResult>
  /** Imports the European Central Bank's file from where it is configured to be; AppError `connector_unavailable`. */
  fetchFx(options: RateImportOptions, signal: AbortSignal): Promise<RateImportResult>
  /** Where that is, as it may be shown. */
  readonly fxAddress: string
  /** Rates by pair and day, or only the newest of each pair. */
  listFx(options: { readonly latest: boolean }): Promise<readonly FxRate[]>
  close(): Promise<void>
}

/** What `init` is told. */
export interface InitOptions {
  /** Address of the billing database; absent: only the file and the store are made. */
  readonly url?: string | undefined
  readonly config?: string | undefined
  /** Tenants as the configuration names them, comma-separated. */
  readonly tenant?: string | undefined
  readonly baseCurrency?: string | undefined
  readonly force: boolean
  /** Whether the file gets every setting. */
  readonly full: boolean
  /** Look, and write nothing. */
  readonly dryRun: boolean
}

/** What was found in a billing database. */
export interface FirstLook {
  /** Server, place and role in replication. */
  readonly database: string
  readonly engine: string
  readonly tenants: readonly string[]
  readonly chosen: readonly string[]
  readonly currencies: readonly {
    readonly currency: string
    readonly customers: number
  }[]
  readonly base_currency: string
  /** What `check` finds that is not as it should be. */
  readonly findings: readonly Finding[]
  /** MRR today in base cents; null where something keeps it from being told. */
  readonly mrr_cents: number | null
  /** What keeps it. */
  readonly missing: string | null
  /** MRR today in cents of each currency, which needs no exchange rate. */
  readonly mrr_by_currency: readonly Readonly<Record<string, unknown>>[]
}

interface Finding {
  readonly name: string
  readonly level: 'ok' | 'warning' | 'failure'
  readonly message: string
}

/** What `init` did and found. */
export interface InitReport {
  readonly steps: readonly string[]
  readonly found: FirstLook | null
}

export interface OpenDemo extends OpenProduct {
  /** The demo's own clock, at the end of its data: a UTC day. */
  readonly today: string
}

/** What the command line needs of the composition; handed in, so that a test can stand in for it. */
export interface Product {
  readonly version: string
  /** What can be said of the command line without loading what commands are made of. */
  outline(): Promise<Outline>
  /** The metrics that have commands, in the order in which help shows them. */
  metrics(): Promise<readonly MetricDefinition[]>
  /** ConfigurationError for bad configuration. */
  open(options: OpenOptions): Promise<OpenProduct>
  /** The same without a billing database. */
  openStore(options: OpenOptions): Promise<OpenStore>
  openDemo(options: OpenOptions): Promise<OpenDemo>
  /** The demo's side store alone; what is written there ends with it. */
  openDemoStore(): Promise<OpenStore>
  /**
   * Looks at the database if one is named, writes a configuration and migrates the side store. AppError `conflict` when the file exists
   * and `force` is false; ConfigurationError where only the user can choose.
   */
  init(options: InitOptions): Promise<InitReport>
  /** Statements that make a role which can only read what the connector reads. AppError `invalid_value`. */
  grants(request: GrantRequest): Promise<readonly string[]>
}
