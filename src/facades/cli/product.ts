import type { FxRate } from '../../core/currency.ts'
import type { GrantRequest } from '../../core/grant-request.ts'
import type { Engine, MetricDefinition, RateImportOptions, RateImportResult } from '../../engine/engine.ts'
import type { Channels, Deliveries } from '../deliveries/contract.ts'
import type { Outline } from './command.ts'
import type { ServiceLog } from './service-log.ts'

export type { Channels } from '../deliveries/contract.ts'

/** Command-line options that override the environment and the configuration file. */
export interface OpenOptions {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
  /** The billing engine of the sample data. Default: the first one. */
  readonly sample?: string | undefined
}

/** A listening HTTP service. */
export interface RunningService {
  readonly url: string
  /** True if the dashboard is built and served. */
  readonly hasDashboard?: boolean
  stop(): Promise<void>
}

/** A publication of the lake. Instants are UTC, `…Z`. */
export interface PublicationFacts {
  readonly id: string
  readonly made_at: string
  /** The instant of its answers. */
  readonly now: string
  readonly data_through: string | null
  /** The Iceberg snapshot of each billing table. Null: the table has none. */
  readonly versions: Readonly<Record<string, string | null>>
  /** Rows of each held relation. */
  readonly rows: Readonly<Record<string, number>>
}

/** The statements of a publication that is not made. */
export interface PublicationStatements extends Pick<PublicationFacts, 'now' | 'data_through' | 'versions'> {
  readonly statements: readonly { readonly table: string; readonly text: string }[]
}

/** The lake of a configuration. */
export interface ProductLake {
  /** Resolves to the faults, in words, if the tables of the new publication contradict each other: then the earlier one stays. */
  publish(
    onProgress: (text: string) => void,
    signal: AbortSignal,
  ): Promise<PublicationFacts | { readonly faults: readonly string[] }>
  plan(signal: AbortSignal): Promise<PublicationStatements>
  /** Complete publications, the newest first. */
  list(): Promise<readonly PublicationFacts[]>
}

/** The configured product. It connects when a connection is first needed. */
export interface OpenProduct {
  readonly engine: Engine
  /** Undefined if the configuration names no lake. */
  readonly lake?: ProductLake | undefined
  /** The day of the engine's clock. */
  readonly today: string
  /** Undefined for the sample data, of which nothing is sent. */
  readonly channels?: Channels | undefined
  /** Undefined for the sample data, of which nothing is sent. */
  readonly deliveries?: Deliveries | undefined
  /** Most issues that an error lists (`limits.issues`). */
  readonly maxIssues?: number
  /** The log of a service, if its lines are JSON. Undefined if people read them. */
  readonly jsonLog?: ServiceLog | undefined
  /** Opens the store and listens, unless the signal fires before. ConfigurationError if the address is not available. */
  serve(signal?: AbortSignal): Promise<RunningService>
  close(): Promise<void>
}

/** The side store without the rest of the product. */
export interface OpenStore {
  /**
   * Imports a file of rates. The rates of a wide file convert into the configured base currency, unless `into` names another
   * currency. AppError `invalid_csv`; UsageError if the file cannot be read.
   */
  importFx(path: string, options: RateImportOptions): Promise<RateImportResult>
  /** Imports the European Central Bank's file from the configured address. AppError `connector_unavailable`. */
  fetchFx(options: RateImportOptions, signal: AbortSignal): Promise<RateImportResult>
  /** The configured address of `fetchFx`, without its password. */
  readonly fxAddress: string
  /** Rates by pair and day, or only the newest of each pair. */
  listFx(options: { readonly latest: boolean }): Promise<readonly FxRate[]>
  close(): Promise<void>
}

/** Arguments of `init`. */
export interface InitOptions {
  /** Address of the billing database. If absent, only the file and the store are created. */
  readonly url?: string | undefined
  readonly config?: string | undefined
  /** Tenants as the configuration names them, comma-separated. */
  readonly tenant?: string | undefined
  readonly baseCurrency?: string | undefined
  readonly force: boolean
  /** True to write every setting. */
  readonly full: boolean
  /** True to write nothing. */
  readonly dryRun: boolean
}

/** Facts about a billing database. */
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
  /** Warnings and failures of `check`. */
  readonly findings: readonly Finding[]
  /** MRR today in base cents; null if it cannot be computed. */
  readonly mrr_cents: number | null
  /** The reason why `mrr_cents` is null. */
  readonly missing: string | null
  /** MRR today by currency, in cents of the currency itself. This needs no exchange rate. */
  readonly mrr_by_currency: readonly Readonly<Record<string, unknown>>[]
}

interface Finding {
  readonly name: string
  readonly level: 'ok' | 'todo' | 'warning' | 'failure'
  readonly message: string
}

/** Result of `init`. */
export interface InitReport {
  readonly steps: readonly string[]
  readonly found: FirstLook | null
}

/** The parts of the product that the command line uses. Passed in, so that tests can replace it. */
export interface Product {
  readonly version: string
  /** The outline of the command line. It does not load the commands. */
  outline(): Promise<Outline>
  /** The metrics with commands, in the order of the help. */
  metrics(): Promise<readonly MetricDefinition[]>
  /** ConfigurationError for an invalid configuration. */
  open(options: OpenOptions): Promise<OpenProduct>
  /** Opens only the side store; needs no billing database. ConfigurationError for an invalid configuration. */
  openStore(options: OpenOptions): Promise<OpenStore>
  /** On the sample data. Its clock shows the last day of the data. */
  openDemo(options: OpenOptions): Promise<OpenProduct>
  /** The side store of a copy of the sample data. The copy is deleted on close. */
  openDemoStore(options: OpenOptions): Promise<OpenStore>
  /**
   * Inspects the database if an address is given, writes a configuration and migrates the side store. AppError `conflict` if the file
   * exists and `force` is false. ConfigurationError if the user must choose, such as between tenants.
   */
  init(options: InitOptions): Promise<InitReport>
  /** Statements that create a role which can read only the tables of the connector. AppError `invalid_value`. */
  grants(request: GrantRequest): Promise<readonly string[]>
}
