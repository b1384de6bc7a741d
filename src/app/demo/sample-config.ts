import { packageRoot } from '../../core/package-root.ts'
import { type Config, loadConfig } from '../config/config.ts'
import type { SampleData } from './sample-data.ts'

/** The configuration of the demo. Neither the user's file nor the environment counts: it must not reach a real database. */
export function sampleConfig(
  data: Omit<SampleData, 'dispose'>,
  listen: { readonly host?: string | undefined; readonly port?: string | undefined } = {},
): Config {
  const options = {
    'database.url': data.databaseUrl,
    'store.url': data.storeUrl,
    'connector.tenant': data.tenant,
    'definitions.base_currency': 'USD',
    'clock.now': data.now,
    // A page asks a dozen questions, and an embedded database answers one after the other.
    'cache.mode': 'on',
    // Until the cache is filled they wait for each other, and nobody else is waiting.
    'limits.queue_ms': '60000',
    'server.host': listen.host,
    'server.port': listen.port,
  }
  return loadConfig({ environment: {}, cwd: packageRoot(), home: undefined, config: null, options })
}
