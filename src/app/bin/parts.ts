import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { redact } from '../../core/addresses.ts'
import { once } from '../../core/async.ts'
import { calendarOf } from '../../core/calendar.ts'
import { ConfigurationError, errorFromIssues, suggest } from '../../core/errors.ts'
import type { GrantRequest } from '../../core/grant-request.ts'
import { dayOf } from '../../core/periods.ts'
import { withFile } from '../../facades/cli/files.ts'
import type { OpenOptions, OpenProduct, OpenStore } from '../../facades/cli/product.ts'
import type { ServiceLog } from '../../facades/cli/service-log.ts'
import { logBackgroundFailure } from '../../facades/http/failure.ts'
import { createLog } from '../../facades/http/log.ts'
import { askingService } from '../../facades/socket/ask.ts'
import type { RateImportOptions } from '../../ports/fx-rate-store.ts'
import type { ReadThrough } from '../../ports/read-through.ts'
import { fetchFile } from '../../workspace/csv/fetch-file.ts'
import type { CsvSource } from '../../workspace/csv/text.ts'
import { importFxRates } from '../../workspace/exchange-rates/import/csv.ts'
import { BUILT_IN_CONNECTORS } from '../built-in.ts'
import { channelsOf } from '../channels/channels.ts'
import { buildDigest } from '../code-digest.ts'
import { composeEngine, composeStore, startService } from '../compose.ts'
import { composeDeliveries } from '../compose-deliveries.ts'
import { type Config, loadConfig, loadStoreConfig, type StoreConfig } from '../config/config.ts'
import { identityOf } from '../config/identity.ts'
import { type MirrorPlace, mirrorPlace } from '../config/mirror-directory.ts'
import type { ProcessInputs } from '../config/process-inputs.ts'
import { clockOf, logSettings, toStderr } from '../config/runtime.ts'
import { sampleConfig } from '../demo/sample-config.ts'

export { BUILT_IN_METRICS } from '../../metrics/built-in.ts'
export { initialise } from './init.ts'

/** The product on the configured billing database. ConfigurationError for an invalid configuration. */
export async function open(inputs: ProcessInputs, { config, host, port }: OpenOptions, version: string): Promise<OpenProduct> {
  const options = { 'server.host': host, 'server.port': port }
  return openConfigured(loadConfig({ ...inputs, config, options }), version)
}

/** Only the side store of the configuration. */
export async function openConfiguredStore(inputs: ProcessInputs, config: string | undefined): Promise<OpenStore> {
  return openStore(loadStoreConfig({ ...inputs, config }))
}

/** The product on a copy of the sample data. */
export async function openDemo({ sample, ...listen }: OpenOptions, version: string): Promise<OpenProduct> {
  const data = await sampleData(sample)
  try {
    const opened = openConfigured(sampleConfig(data, listen), version)
    const close = () => opened.close().finally(() => data.dispose())
    return { ...opened, close }
  } catch (error) {
    await data.dispose()
    throw error
  }
}

/** Only the side store of a copy of the sample data. */
export async function openDemoStore({ sample }: OpenOptions): Promise<OpenStore> {
  const data = await sampleData(sample)
  const opened = openStore(sampleConfig(data))
  return { ...opened, close: () => opened.close().finally(() => data.dispose()) }
}

// Loaded on demand: it contains an embedded PostgreSQL.
async function sampleData(wanted: string | undefined) {
  const { prepareSampleData, SAMPLE_NAMES } = await import('../demo/sample-data.ts')
  return prepareSampleData(SAMPLE_NAMES.find((name) => name === wanted))
}

function openConfigured(config: Config, version: string): OpenProduct {
  const composed = composeEngine(config)
  const place = mirrorPlace(config)
  const engine = askingService(composed.engine, {
    place,
    identity: once(() => identityOf(config, { version, build: buildDigest(config.connector.type) })),
    restore: () => restoreFrom(place, composed.cache),
  })
  return {
    engine,
    lake: composed.lake,
    channels: config.isSample === true ? undefined : channelsOf(config),
    deliveries: config.isSample === true ? undefined : composeDeliveries(config, engine),
    today: dayOf(calendarOf(config.definitions.time_zone, clockOf(config).now()).clockNow),
    maxIssues: config.limits.issues,
    jsonLog: config.isSample === true || logSettings(config).format === 'text' ? undefined : SERVICE_LOG,
    serve: (signal) => startService(config, composed, version, signal),
    close: () => engine.close(),
  }
}

// The address and the findings of a start are written at every level.
const written = createLog(toStderr, { level: 'info', format: 'json' })
const SERVICE_LOG: ServiceLog = { write: written, failure: (error) => logBackgroundFailure(written, error, 'serve') }

/** Opens the cache of an earlier service, unless it is open. Resolves to null if it is open, else to the reason why not, as the end of a sentence. */
async function restoreFrom(place: MirrorPlace, cache: ReadThrough | undefined): Promise<string | null> {
  if ('none' in place) return place.none
  if (cache === undefined) return 'the connector has no cache'
  if (cache.state().status !== 'ready') {
    const largest = await largestFile(place.directory)
    if (largest === 0) return `${place.directory} has none`
    if (largest < LARGE_BYTES) return 'it is too small to be faster than the database'
  }
  return cache.restore()
}

/** To open a smaller cache takes longer than to ask the database. */
const LARGE_BYTES = 16 * 2 ** 20

/** Bytes of the largest file of a directory, 0 without one. */
async function largestFile(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0),
  )
  return Math.max(0, ...sizes)
}

/** Statements that create a role which can read only the tables of a built-in connector. AppError `invalid_value` for another table or connector. */
export function grants(request: GrantRequest, inputs: ProcessInputs): readonly string[] {
  const able = BUILT_IN_CONNECTORS.filter((candidate) => candidate.grants !== undefined)
  const { connector = configuredType(inputs) ?? able[0]?.type ?? '' } = request
  const found = able.find(({ type }) => type === connector)?.grants
  if (found !== undefined) return found(request)
  const known = able.map(({ type }) => type)
  const message = `There is no connector "${connector}"; available: ${known.join(', ')}.`
  const issue = {
    code: 'invalid_value',
    where: 'params.connector',
    value: connector,
    message,
    did_you_mean: suggest(connector, known),
  } as const
  throw errorFromIssues([issue], { available: known })
}

/** The connector of the configuration. Undefined if there is no valid one: the statements need none. */
function configuredType(inputs: ProcessInputs): string | undefined {
  try {
    return loadConfig(inputs).connector.type
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined
    throw error
  }
}

/** The side store with the operations of the command line. */
function openStore(config: StoreConfig): OpenStore {
  const store = composeStore(config)
  const take = (source: CsvSource, { into = config.definitions.base_currency, ...options }: RateImportOptions) =>
    importFxRates(source, store, { ...options, maxBytes: config.limits.max_csv_bytes, into })
  return {
    importFx: (path, options) => withFile(path, (file) => take(file, options)),
    fetchFx: async (options, signal) =>
      take(Readable.from([await fetchFile(config.fx.ecb_url, config.limits.max_csv_bytes, signal)]), options),
    fxAddress: redact(config.fx.ecb_url),
    listFx: (selection) => store.fxRates.list(selection),
    close: () => store.close(),
  }
}
