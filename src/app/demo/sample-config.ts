import { packageRoot } from '../../core/package-root.ts'
import { type Config, loadConfig } from '../config/config.ts'
import type { SampleData } from './sample-data.ts'

/** The configuration of the demo. It ignores the user's file and environment, so that the demo never reaches a real database. */
export function sampleConfig(
  data: Omit<SampleData, 'dispose'>,
  listen: { readonly host?: string | undefined; readonly port?: string | undefined } = {},
): Config {
  const options = {
    'database.url': data.databaseUrl,
    'store.url': data.storeUrl,
    ...(data.settings ?? { 'connector.tenant': data.tenant }),
    'definitions.base_currency': 'USD',
    'clock.now': data.now,
    // A page sends a dozen requests, and an embedded database answers them one after the other.
    'cache.mode': 'on',
    // Until the cache is filled, requests wait for each other. The long wait harms nobody, because the demo has no other clients.
    'limits.queue_ms': '60000',
    'server.host': listen.host,
    // Everybody may see the sample data.
    'server.allow_open': 'true',
    'server.port': listen.port,
  }
  return { ...loadConfig({ environment: {}, cwd: packageRoot(), home: undefined, config: null, options }), isSample: true }
}
