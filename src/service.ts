import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { clockOf } from './clock-of.ts'
import type { Composed } from './compose.ts'
import type { Config } from './config.ts'
import { ConfigurationError } from './core/errors.ts'
import { packageRoot } from './core/package-root.ts'
import { CACHES, removeAbandoned, UPLOADS } from './core/temporary-directory.ts'
import type { Engine } from './engine/engine.ts'
import { MEBIBYTE } from './executors/options.ts'
import { createApp } from './http/app.ts'
import { isLoopback } from './http/host-names.ts'
import { type RunningServer, startServer } from './http/server.ts'
import { readWebFiles } from './http/web-files.ts'
import { logOf, logSettings, toStderr } from './log-of.ts'

const BODY_BYTES = MEBIBYTE

/** How long the database may take to say whether the configuration fits it, before the service listens all the same. */
const JUDGING_MS = 3_000

/** Addresses to listen on that stand for all of a machine. */
const ANY_ADDRESS: readonly string[] = ['0.0.0.0', '::']
const OPEN_TO_THE_NETWORK =
  'The service is open to the network without authentication: whoever reaches it reads every figure and may change what is stored. ' +
  'Set auth.enabled, or put it behind what asks who they are, and name in server.hosts under which names it is reached; others are refused.'

/** A listening service, and whether it has the dashboard to show. */
export interface RunningService extends RunningServer {
  readonly hasDashboard: boolean
}

/** Clears away what processes that were killed have left, opens the store, then listens. The log goes to stderr. */
export async function startService(config: Config, { engine, store, cache }: Composed, version: string): Promise<RunningService> {
  await removeAbandoned(tmpdir(), UPLOADS)
  await removeAbandoned(config.cache.directory ?? tmpdir(), CACHES)
  if (store.enabled) await store.open()
  await engine.sources.prepare()
  cache?.start()
  await refuteConfiguration(engine)
  const { host, port, cors_origins: corsOrigins, base_path: basePath, public_origin: publicOrigin } = config.server
  const hosts = publicOrigin === undefined ? config.server.hosts : [...config.server.hosts, new URL(publicOrigin).hostname]
  const isPublic = !isLoopback(host)
  const web = readWebFiles(join(packageRoot(), 'dist', 'web'))
  const app = createApp({
    engine,
    version,
    corsOrigins,
    hosts: ANY_ADDRESS.includes(host) ? hosts : [...hosts, host],
    basePath,
    publicOrigin,
    limits: { body_bytes: BODY_BYTES, csv_bytes: config.limits.max_csv_bytes, issues: config.limits.issues },
    log: toStderr,
    logging: logSettings(config),
    clock: clockOf(config),
    web,
  })
  const log = logOf(config)
  const server = await startServer(app, { host, port, maxConnections: config.server.max_connections, log }).catch(
    (error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      throw new ConfigurationError([`server: cannot listen on ${host} port ${port} (${code}); --port chooses another`])
    },
  )
  engine.sources.start()
  if (isPublic && !engine.auth.isEnabled) log('warn', OPEN_TO_THE_NETWORK, { host, hosts })
  return { ...server, url: server.url + basePath, hasDashboard: web !== undefined }
}

/**
 * What only the database can refute, such as a tenant that must be named, is said before anybody asks. A database that does not
 * answer may do so later: readiness says how it is.
 */
async function refuteConfiguration(engine: Engine): Promise<void> {
  const judged = engine.compile('mrr').catch((error: unknown) => {
    if (error instanceof ConfigurationError) throw error
  })
  const patience = setTimeout(JUDGING_MS, undefined, { ref: false })
  await Promise.race([judged, patience])
}
