import { AppError, ConfigurationError, errorFromIssues, suggest } from '../../../core/errors.ts'
import { mustBe, oneOf } from '../../../query/issues.ts'
import { type ListInputs, parseData } from '../../../query/lists/request.ts'
import type { Raw } from '../../../query/raw-parameters.ts'
import { LETTERS_TO_RETRY, NEW_SOURCE } from '../../records/source.ts'
import { type DeadLetterPage, databaseSource, deadLetter, isFileSource, type Source, storedSource } from './answers.ts'
import { type BackfillAnswer, type BackfillOptions, type BackfillReport, createBackfills } from './backfills.ts'
import { type BegunConsent, beginConsent, endConnection, endConsent, pendingIdOf, saveConnection } from './connection.ts'
import { configured, createConnectors } from './connectors.ts'
import { createSourceCounters, type SourceFigures } from './counters.ts'
import { instantIn, openSourceStores, type SourcesDependencies, sourceNamed } from './deps.ts'
import { type InboxWorker, startInboxWorker } from './inbox-worker.ts'
import { receive, type WebhookDelivery, type WebhookReceipt } from './receive.ts'
import { createRuns } from './runs.ts'

/** The sources: databases of the billing engine, accounting platforms and imported files (http-api.md 8). */
export interface SourceResource {
  /** By id. */
  list(): Promise<readonly Source[]>
  /** AppError `validation_failed`, `conflict`, `unsupported_by_connector`. */
  add(body: unknown): Promise<Source>
  /** Ends a connection. Records stay. AppError `not_found`, or `unsupported_by_connector` for a database and for files. */
  disconnect(id: string): Promise<{ readonly source_id: string; readonly revoked: boolean }>
  /** Starts to read all records of a source in this process. AppError `not_found`, `validation_failed`, `conflict`. */
  backfill(id: string, body: unknown): Promise<BackfillAnswer>
  /** Reads all sources of a type, or one of them, and waits for the end. */
  pull(options: BackfillOptions): Promise<readonly BackfillReport[]>
  /** AppError `not_found`, `unauthorized`, `invalid_json`, `invalid_value`. */
  receive(delivery: WebhookDelivery): Promise<WebhookReceipt>
  beginConsent(type: string, browser: string | undefined): Promise<BegunConsent>
  endConsent(type: string, parameters: URLSearchParams, browser: string | undefined): Promise<Source>
  /** Address of this service that begins a consent, from the platform's configuration. AppError `unsupported_by_connector`. */
  consentAddress(type: string): string
  /** Oldest first. AppError `not_found`, `invalid_value`. */
  deadLetters(id: string, params: Raw): Promise<DeadLetterPage>
  /** Returns the number of notifications that will be tried again. AppError `not_found`, `validation_failed`. */
  retryDeadLetters(id: string, body: unknown): Promise<number>
  /** AppError `not_found`. */
  dropDeadLetter(id: string, letter: string): Promise<void>
  /** Sources that must be connected again, and dead letters. Reads only the store. Undefined if there are no sources. */
  attention(): Promise<Attention | undefined>
  /** Counters of this process. Asks no database. */
  figures(): SourceFigures
  /** Names of the platforms whose webhooks are accepted unsigned. */
  unsignedPlatforms(): readonly string[]
  /**
   * Opens the stores if webhooks can arrive, so that the first webhook does not wait. Does not wait long for a database that is
   * down.
   */
  prepare(): Promise<void>
  /** Processes the inbox and reads changes, until `close` is called. */
  start(): void
  /** Stops running work, so that other processes can resume it. */
  close(): Promise<void>
}

/** Problems of the sources that need attention, and the waiting notifications. */
export interface Attention {
  readonly needs_reconnect: readonly string[]
  readonly dead_letters: number
  readonly waiting: number
  /** Arrival of the notification that waits longest. Null if none waits. */
  readonly oldest_waiting_at: string | null
}

/** The list accepts paging and no filters. */
const PAGE: ListInputs = {
  own: ['limit', 'offset'],
  fields: [],
  statuses: [],
  takesDays: false,
  takesSegment: false,
  isPlain: true,
}

/** Sources in the side store and on the platforms. Stores and connectors open when they are first needed. */
export function createSourceResource(deps: SourcesDependencies): SourceResource {
  const { connectorType, onFailure } = deps
  const connectors = createConnectors(deps.platforms)
  const counters = createSourceCounters()
  const runs = createRuns(connectors, counters, onFailure)
  const openStores = openSourceStores(deps)
  const backfills = createBackfills(deps, openStores, connectors, runs)
  let worker: InboxWorker | undefined

  const isDatabase = async (name: string): Promise<boolean> =>
    name === connectorType || (await deps.databaseSources()).some(({ source_id }) => source_id === name)

  const answered = async (id: string): Promise<Source> => {
    const stores = await openStores()
    const [source, lastRuns, counts] = [
      await sourceNamed(stores, id),
      await stores.sources.lastRuns(),
      await stores.inbox.counts(),
    ]
    return storedSource(source, lastRuns.get(id), counts.get(id))
  }
  return {
    async list() {
      const databases = (await deps.databaseSources()).map((row) => databaseSource(connectorType, row, deps.unsupported))
      if (deps.store?.enabled !== true) return databases
      const stores = await openStores()
      const lastRuns = await stores.sources.lastRuns()
      const counts = await stores.inbox.counts()
      const stored = (await stores.sources.list()).map((source) =>
        storedSource(source, lastRuns.get(source.id), counts.get(source.id)),
      )
      return [...databases, ...stored].sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    async add(body) {
      const { type, name, config } = NEW_SOURCE.parse(body)
      if (type === connectorType) throw databaseSourceError(type)
      const connection = configured(platformNamed(type), type).register(config ?? {})
      const stores = await openStores()
      const source_id = connection.source_id ?? pendingIdOf(type)
      if ((await stores.sources.get(source_id)) !== undefined)
        throw new AppError('conflict', `A source "${source_id}" already exists.`)
      const wanted = { ...connection, source_id, name: name ?? connection.name }
      const source = await saveConnection(stores, connectors, type, wanted)
      return answered(source.id)
    },
    async disconnect(id) {
      const stores = await openStores()
      const source = await stores.sources.get(id)
      if (source === undefined && (await isDatabase(id))) throw databaseSourceError(id)
      if (source !== undefined && isFileSource(source)) throw fileSourceError(source.type, id)
      return { source_id: id, revoked: await endConnection(stores, connectors, source ?? (await sourceNamed(stores, id))) }
    },
    backfill: (id, body) => backfills.begin(id, body),
    pull: (options) => backfills.pull(options),
    async receive(delivery) {
      const receipt = await receive(await openStores(), connectors, delivery, isDatabase)
      counters.received(receipt.accepted)
      if (receipt.accepted > 0) worker?.wake()
      return receipt
    },
    beginConsent: async (type, browser) => beginConsent(await openStores(), connectors, type, browser),
    async endConsent(type, parameters, browser) {
      const { id } = await endConsent(await openStores(), connectors, type, parameters, browser)
      worker?.wake()
      return answered(id)
    },
    consentAddress(type) {
      const { consent } = configured(platformNamed(type), type)
      if (consent === undefined) throw new AppError('unsupported_by_connector', `You cannot connect ${type} from the browser.`)
      return new URL('start', consent.redirectUri).href
    },
    async deadLetters(id, params) {
      const { limit, offset } = parseData(params, {}, PAGE, new Date())
      const stores = await openStores()
      await sourceNamed(stores, id)
      const { total, rows } = await stores.inbox.deadLetters(id, { limit, offset })
      return { total, limit, offset, rows: rows.map(deadLetter) }
    },
    async retryDeadLetters(id, body) {
      const { ids = 'all' } = LETTERS_TO_RETRY.parse(body)
      const stores = await openStores()
      await sourceNamed(stores, id)
      const retried = await stores.inbox.retry(id, ids, instantIn(0))
      worker?.wake()
      return retried
    },
    async dropDeadLetter(id, letter) {
      const stores = await openStores()
      await sourceNamed(stores, id)
      if (!(await stores.inbox.drop(id, letter))) throw new AppError('not_found', 'The source has no dead letter of this id.')
    },
    async attention() {
      const stores = await openStores()
      const sources = await stores.sources.list()
      if (sources.length === 0) return undefined
      const counts = [...(await stores.inbox.counts()).values()]
      const sum = (of: 'dead' | 'waiting') => counts.reduce((total, each) => total + each[of], 0)
      const lapsed = sources.filter(({ status }) => status === 'needs_reconnect')
      return {
        needs_reconnect: lapsed.map(({ id }) => id),
        dead_letters: sum('dead'),
        waiting: sum('waiting'),
        oldest_waiting_at: await stores.inbox.oldestWaiting(),
      }
    },
    figures: counters.figures,
    unsignedPlatforms: () =>
      deps.platforms
        .filter(({ isConfigured, webhooks }) => isConfigured && !webhooks.hasSecret && webhooks.verifyBasic === undefined)
        .filter(({ webhooks }) => webhooks.allowsUnsigned)
        .map(({ type }) => type),
    async prepare() {
      if (connectors.types.length === 0 || deps.store?.enabled !== true) return
      try {
        await (await openStores()).inbox.counts()
      } catch (error) {
        if (!(error instanceof AppError || error instanceof ConfigurationError)) throw error
      }
    },
    start() {
      if (connectors.types.length === 0 || deps.store?.enabled !== true) return
      worker ??= startInboxWorker({ openStores, connectors, counters, onFailure })
      runs.schedule(openStores)
    },
    async close() {
      await Promise.all([worker?.stop(), runs.stop()])
    },
  }

  function platformNamed(type: string) {
    const platform = connectors.platformOf(type)
    if (platform !== undefined) return platform
    const known = deps.platforms.map((each) => each.type)
    const message = mustBe('type', oneOf(known), type)
    throw errorFromIssues([
      { code: 'validation_failed', where: 'body.type', value: type, message, did_you_mean: suggest(type, known) },
    ])
  }
}

function databaseSourceError(type: string): AppError {
  const detail = `${type} is a database from the configuration. It can be neither added nor removed here.`
  return new AppError('unsupported_by_connector', detail, { context: { connector: type, missing: [] } })
}

function fileSourceError(type: string, id: string): AppError {
  const detail = `${id} holds imported files. It has no connection to end.`
  return new AppError('unsupported_by_connector', detail, { context: { connector: type, missing: [] } })
}
