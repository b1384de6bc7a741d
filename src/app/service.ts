import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { withinLimit } from '../core/async.ts'
import { AppError, ConfigurationError } from '../core/errors.ts'
import { loadAll } from '../core/on-demand.ts'
import { packageRoot } from '../core/package-root.ts'
import { CACHES, removeAbandoned, UPLOADS } from '../core/temporary-directory.ts'
import { MEBIBYTE } from '../databases/options.ts'
import type { Engine } from '../engine/engine.ts'
import { createApp } from '../facades/http/app.ts'
import { logBackgroundFailure } from '../facades/http/failure.ts'
import { isLoopback } from '../facades/http/host-names.ts'
import type { Log } from '../facades/http/log.ts'
import { probesOf } from '../facades/http/paths.ts'
import { type ListenOptions, type RunningServer, type Service, startServer } from '../facades/http/server.ts'
import { readWebFiles } from '../facades/http/web-files.ts'
import { type ListeningSocket, listenForCommands } from '../facades/socket/listen.ts'
import type { CacheState, ReadThrough } from '../ports/read-through.ts'
import type { Store } from '../ports/store.ts'
import { cacheRoomFinding } from './cache-room.ts'
import { buildDigest } from './code-digest.ts'
import { composeDeliveries } from './compose-deliveries.ts'
import type { Lake } from './compose-lake.ts'
import { FALLBACK } from './config/addresses.ts'
import type { Config } from './config/config.ts'
import { identityOf } from './config/identity.ts'
import { mirrorDirectory, spillDirectory } from './config/mirror-directory.ts'
import { clockOf, logOf, logSettings, toStderr } from './config/runtime.ts'
import { fillLog } from './fill-report.ts'
import { publishRegularly } from './publish-regularly.ts'

const BODY_BYTES = MEBIBYTE

/** Longest wait for the check of the configuration. After it, the service listens without the result. */
const CONFIGURATION_CHECK_MS = 3_000
/** The same for an embedded database, whose program and files open in this process meanwhile. */
const EMBEDDED_CHECK_MS = 60_000
/** Longest waits of a start for the disk of temporary files, for the store, and for the socket of commands, milliseconds. */
const CLEANING_MS = 10_000
const STORE_MS = 120_000
const SOCKET_MS = 15_000

/** Listening addresses that mean all addresses of a machine. */
const ANY_ADDRESS: readonly string[] = ['0.0.0.0', '::']
const OPEN_TO_THE_NETWORK =
  'The service is open to the network without authentication: everyone who reaches it can read all figures and change stored data. ' +
  'Set auth.enabled or put the service behind an authenticating proxy. List its host names in server.hosts; other names are refused.'
const REFUSED_TO_BE_OPEN =
  'everyone who reaches the service could read all figures and change stored data, because auth.enabled is false. Set auth.enabled = true. ' +
  'Behind an authenticating proxy, or for data that everybody may see, set server.allow_open = true'

/** The parts that a configuration is composed of. */
export interface Composed {
  readonly engine: Engine
  /** True if an embedding program has added metrics, dimensions, connectors or platforms. */
  readonly isExtended: boolean
  readonly store: Store
  /** The cache of this process, or the publications of the lake. Undefined if there is neither. */
  readonly cache: ReadThrough | undefined
  /** Undefined if the configuration names no lake. */
  readonly lake: Lake | undefined
  /**
   * Sets the functions that get each state of the cache, a sentence if it cannot be stored, and one when it is filled again. Without them, a
   * terminal shows how far the filling is.
   */
  readonly reportCache: (to: CacheReport) => void
}

interface CacheReport {
  readonly report: (state: CacheState) => void
  readonly notice: (text: string) => void
  readonly refilled: (text: string) => void
}

/** A listening service. */
export interface RunningService extends RunningServer {
  /** True if the dashboard is built and served. */
  readonly hasDashboard: boolean
  /** Address of the separate listener for probes, if any. */
  readonly probes: string | undefined
}

/**
 * Removes files left by killed processes, opens the store, then listens, unless the signal fires before. The log goes to stderr. A service that listens reads no file of the
 * installation any more, so an upgrade in the same place does not change it.
 */
export async function startService(
  config: Config,
  composed: Composed,
  version: string,
  signal?: AbortSignal,
): Promise<RunningService> {
  const { engine, store, cache } = composed
  const log = logOf(config)
  const { host, port, allow_open, cors_origins: corsOrigins, base_path: basePath, public_origin: publicOrigin } = config.server
  const isOpen = !isLoopback(host) && !engine.auth.isEnabled
  if (isOpen && !allow_open) throw new ConfigurationError([`server.host = ${JSON.stringify(host)}: ${REFUSED_TO_BE_OPEN}.`])
  await cleanUp(config, log)
  const prepared = async () => {
    if (store.enabled) await store.open()
    await engine.sources.prepare()
  }
  await Promise.all([withinLimit(prepared(), STORE_MS, storeTooSlow), checkConfiguration(config, engine), loadAll()])
  signal?.throwIfAborted()
  const build = buildDigest(config.connector.type)
  composed.reportCache({
    report: fillLog(log),
    notice: (text) => log('warn', text),
    refilled: (text) => log('info', text),
  })
  cache?.start()
  if (cache !== undefined && composed.lake === undefined) await logCacheRoom(config, log)
  const hosts = publicOrigin === undefined ? config.server.hosts : [...config.server.hosts, new URL(publicOrigin).hostname]
  const web = readWebFiles(join(packageRoot(), 'dist', 'web'))
  const deliveries = composeDeliveries(config, engine)
  const app = createApp({
    engine,
    deliveries,
    version,
    corsOrigins,
    hosts: ANY_ADDRESS.includes(host) ? hosts : [...hosts, host],
    basePath,
    publicOrigin,
    limits: { body_bytes: BODY_BYTES, csv_bytes: config.limits.max_csv_bytes, issues: config.limits.issues },
    log: toStderr,
    logging: logSettings(config),
    clock: clockOf(config),
    embedOrigins: config.share.embed_origins,
    web,
  })
  const { max_connections: maxConnections, probe_port } = config.server
  const server = await startServer(app, { host, port, maxConnections, log }).catch(cannotListen(host, port, '--port'))
  const probes = await startProbes(app, { host, port: probe_port, log }).catch(async (error: unknown) => {
    await server.stop()
    throw error
  })
  engine.sources.start()
  if (store.enabled && config.isSample !== true) deliveries.start()
  const { source, filledIn } = config.addresses.database
  if (source === FALLBACK || filledIn.length > 0)
    log('info', 'Part of the address of the billing database comes from outside the configuration.', {
      from: source,
      filled_in: filledIn,
    })
  if (isOpen) log('warn', OPEN_TO_THE_NETWORK, { host, hosts })
  const commands = await answerCommands(config, composed, { version, build })
  const publishing = startPublishing(config, composed, log)
  const stop = async () =>
    void (await Promise.all([server.stop(), probes?.stop(), commands?.close(), publishing?.stop(), deliveries.close()]))
  return { stop, url: server.url + basePath, probes: probes?.url, hasDashboard: web !== undefined }
}

function startPublishing(config: Config, { lake }: Composed, log: Log): ReturnType<typeof publishRegularly> | undefined {
  const { every_minutes } = config.lake
  if (lake === undefined || every_minutes === undefined) return undefined
  return publishRegularly(lake, {
    everyMs: every_minutes * 60_000,
    now: clockOf(config).now,
    onProgress: (text) => log('info', text),
    onFailure: (error) => logBackgroundFailure(log, error, 'lake'),
  })
}

/** Removes files of ended processes. A disk that does not answer does not stop the start. */
async function cleanUp(config: Config, log: Log): Promise<void> {
  const places = new Set([tmpdir(), spillDirectory(config)])
  const removed = Promise.all([removeAbandoned(tmpdir(), UPLOADS), ...[...places].map((place) => removeAbandoned(place, CACHES))])
  const silent = () => new Error('the disk does not answer')
  await withinLimit(removed, CLEANING_MS, silent).catch(() =>
    log('warn', 'Files of ended processes may be left, because a disk does not answer.', { places: [...places] }),
  )
}

function storeTooSlow(): AppError {
  return new AppError('connector_unavailable', `The store has not opened within ${STORE_MS / 1_000} s.`)
}

async function logCacheRoom(config: Config, log: Log): Promise<void> {
  const { level, message } = await cacheRoomFinding(config)
  log(level === 'ok' ? 'info' : 'warn', `The cache: ${message}.`)
}

/** Lets commands on this machine ask the service, if its cache has a directory. A command knows only the built-in metrics. */
async function answerCommands(
  config: Config,
  { engine, cache, isExtended }: Composed,
  program: { readonly version: string; readonly build: string },
): Promise<ListeningSocket | undefined> {
  const directory = mirrorDirectory(config)
  // Windows has no sockets that only one user can reach.
  if (cache === undefined || directory === null || isExtended || process.platform === 'win32') return undefined
  const log = logOf(config)
  const listened = listenForCommands({
    engine,
    directory,
    identity: identityOf(config, program),
    unready: () => unreadyText(cache.state()),
    onFailure: (error) => logBackgroundFailure(log, error, 'commands'),
  })
  const silent = () => new Error('the disk does not answer')
  const listening = await withinLimit(listened, SOCKET_MS, silent).catch(
    () => `Commands cannot use the cache of this service: the disk of ${directory} does not answer.`,
  )
  if (typeof listening !== 'string') return listening
  log('info', listening)
  return undefined
}

function unreadyText({ status, progress }: CacheState): string | undefined {
  if (status === 'ready') return undefined
  if (status !== 'filling') return 'the service has no cache at the moment'
  const share = progress?.share ?? null
  return `the service fills its cache${share === null ? '' : ` (${Math.floor(share * 100)} %)`}`
}

/** Connections reserved for probes. */
const PROBE_CONNECTIONS = 100

// Probes decide about restarts and traffic, so they are answered even if clients hold all connections of the service.
function startProbes(
  app: Service,
  { host, port, log }: Pick<ListenOptions, 'host' | 'log'> & { readonly port: number | undefined },
): Promise<RunningServer | undefined> {
  if (port === undefined) return Promise.resolve(undefined)
  const options = { host, port, maxConnections: PROBE_CONNECTIONS, ...(log && { log }) }
  return startServer(probesOf(app), options).catch(cannotListen(host, port, 'server.probe_port'))
}

function cannotListen(host: string, port: number, setting: string) {
  return (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigurationError([`server: cannot listen on ${host} port ${port} (${code}); choose another with ${setting}`])
  }
}

/**
 * Checks the configuration against the database before the first request, such as whether a tenant must be named. If the database does
 * not answer, the service starts anyway and /readyz reports the state.
 */
async function checkConfiguration({ database }: Config, engine: Engine): Promise<void> {
  const checked = engine.compile('mrr').catch((error: unknown) => {
    if (error instanceof ConfigurationError) throw error
  })
  const isEmbedded = database.url.startsWith('pglite:')
  const patience = setTimeout(isEmbedded ? EMBEDDED_CHECK_MS : CONFIGURATION_CHECK_MS, undefined, { ref: false })
  await Promise.race([checked, patience])
}
