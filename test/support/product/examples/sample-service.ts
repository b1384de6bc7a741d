import { composeEngine } from '../../../../src/app/compose.ts'
import type { Config } from '../../../../src/app/config/config.ts'
import { sampleConfig } from '../../../../src/app/demo/sample-config.ts'
import type { SampleData } from '../../../../src/app/demo/sample-data.ts'
import { AUTH_OFF, type AuthSettings } from '../../../../src/core/auth.ts'
import { fixedClock } from '../../../../src/core/clock.ts'
import { BUILT_IN } from '../../../../src/facades/deliveries/briefings.ts'
import type { Channels } from '../../../../src/facades/deliveries/contract.ts'
import { createDeliveries } from '../../../../src/facades/deliveries/service.ts'
import { createApp } from '../../../../src/facades/http/app.ts'
import { recordedSample } from '../../data/recorded-sample.ts'
import { createToyPlatform } from '../toy-platform/toy-platform.ts'
import { startToyServer } from '../toy-platform/toy-server.ts'

export interface SampleOptions {
  /** The sign-in of callers; everybody may ask if absent. */
  readonly auth?: AuthSettings
  readonly corsOrigins?: readonly string[]
  /** False where answers tell of the cache, which is filled by chance sooner or later. */
  readonly isCached?: boolean
  /** Puts the data in place; that of the demo on a server unless told. */
  readonly prepare?: () => Promise<SampleData>
  /** Changes the configuration. */
  readonly configure?: (config: Config) => Config
}

/** Channels on which everything is accepted, and nothing goes anywhere. */
const ACCEPTING: Channels = {
  origin: undefined,
  check: () => {},
  receiverProblem: (receiver) =>
    receiver.kind === 'mail' && !receiver.address.endsWith('@example.com') ? 'It may not receive mails.' : undefined,
  sendMail: async () => {},
  postToSlack: async () => {},
  post: async () => {},
}

/** The service over the sample data, with an accounting platform to connect to. */
export async function openSampleService({
  auth = AUTH_OFF,
  corsOrigins = [],
  isCached = true,
  prepare = recordedSample,
  configure = (config) => config,
}: SampleOptions = {}) {
  const data = await prepare()
  const toy = await startToyServer()
  const sample = configure(sampleConfig(data))
  const config = isCached ? sample : { ...sample, cache: { ...sample.cache, mode: 'off' as const } }
  const platforms = [createToyPlatform({ url: toy.url, secret: toy.secret })]
  const store = { ...config.store, secret_key: Buffer.alloc(32, 7).toString('base64') }
  const composed = composeEngine(
    { ...config, store, auth: { ...auth, oidc_default_scopes: [...auth.oidc_default_scopes] } },
    { platforms },
  )
  await composed.store.open()
  composed.cache?.start()
  const logged: string[] = []
  const deliveries = createDeliveries({
    ...{ engine: composed.engine, briefings: BUILT_IN, channels: ACCEPTING, today: () => data.now.slice(0, 10) },
    ...{ definitions: config.definitions, maxLagSeconds: config.replica.max_lag_seconds, now: () => new Date(data.now) },
    onFailure: (error) => logged.push(String(error)),
  })
  const app = createApp({
    engine: composed.engine,
    deliveries,
    version: '0.1.0',
    corsOrigins,
    limits: { body_bytes: 100_000 },
    log: (line) => logged.push(line),
    clock: fixedClock(new Date(data.now)),
  })
  return {
    app,
    engine: composed.engine,
    store: composed.store,
    storeFile: config.store.url.slice('sqlite:'.length),
    now: data.now,
    toy,
    logged,
    /** Gives up what waits for the platform, which takes hours otherwise. */
    async giveUp(error: string) {
      const name = `killbill:${(await composed.engine.sources.list())[0]?.id}`
      const { inbox } = composed.store.inWorkspace?.({ name, source_ids: [] }) ?? {}
      const later = new Date(Date.now() + 60_000).toISOString()
      for (const entry of (await inbox?.take(['toy'], later, later, 10)) ?? [])
        await inbox?.finish(entry, { kind: 'dead', error }, later)
    },
    async close() {
      await composed.engine.close()
      await toy.close()
      await data.dispose()
    },
  }
}
