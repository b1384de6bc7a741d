import type { Engine } from '../engine/engine.ts'
import type { FxRate } from '../engine/ports.ts'

/** Options of the command line that outrank environment and file. */
export interface OpenOptions {
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
}

/** Answer of `fx import`. */
export interface FxImportResult {
  readonly rows_read: number
  readonly rows_upserted: number
  readonly rows_rejected: readonly { readonly row: number; readonly reason: string }[]
}

/** A listening HTTP service. */
export interface RunningService {
  readonly url: string
  stop(): Promise<void>
}

/** The product, configured and ready; nothing is connected before it is needed. */
export interface OpenProduct {
  readonly engine: Engine
  /** Opens the store and listens. ConfigurationError when the address cannot be had. */
  serve(): Promise<RunningService>
  close(): Promise<void>
}

/** The side store alone. */
export interface OpenStore {
  /** Imports a CSV file of rates; AppError `invalid_csv`, UsageError when the file cannot be read. */
  importFx(path: string): Promise<FxImportResult>
  listFx(): Promise<readonly FxRate[]>
  close(): Promise<void>
}

export interface OpenDemo extends OpenProduct {
  /** The demo's own clock, at the end of its data: a UTC day. */
  readonly today: string
}

/** What the command line needs of the composition; handed in, so that a test can stand in for it. */
export interface Product {
  readonly version: string
  /** ConfigurationError for bad configuration. */
  open(options: OpenOptions): Promise<OpenProduct>
  /** The same without a billing database. */
  openStore(options: OpenOptions): Promise<OpenStore>
  openDemo(options: OpenOptions): Promise<OpenDemo>
  /** Writes the starter file and migrates the side store; yields what was done. AppError `conflict` when the file exists and `force` is false. */
  init(options: { readonly config?: string | undefined; readonly force: boolean }): Promise<readonly string[]>
}
