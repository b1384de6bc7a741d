import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { channelsOf } from '../../../src/app/channels/channels.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { BUILT_IN } from '../../../src/facades/deliveries/briefings.ts'
import type { Deliveries } from '../../../src/facades/deliveries/contract.ts'
import type { DeliveryParts } from '../../../src/facades/deliveries/parts.ts'
import { createDeliveries } from '../../../src/facades/deliveries/service.ts'
import { createApp } from '../../../src/facades/http/app.ts'
import { importFxRates } from '../../../src/workspace/exchange-rates/import/csv.ts'
import { storePlace } from '../databases/store-places.ts'
import type { Target } from '../databases/test-database.ts'
import { JSON_BODY } from './json-body.ts'
import { mailServer } from './mail-server.ts'
import type { Reply } from './recorded-service.ts'
import { slackDouble } from './slack-double.ts'
import { storeAt } from './store-with-books.ts'
import { hookDouble, teamsDouble } from './teams-double.ts'

/** A mail server and the doubles of Slack, Teams and of a program that takes JSON. */
export async function receivers() {
  const [mail, slack, teams, hook] = await Promise.all([mailServer(), slackDouble(), teamsDouble(), hookDouble()])
  const channels = channelsOf({
    mail: { url: mail.url, from: 'plumbline@example.com', domains: ['example.com'] },
    slack: { webhook: slack.url },
    share: { hosts: ['127.0.0.1'] },
    server: { public_origin: 'https://plumbline.example.com', base_path: '' },
  } as unknown as Parameters<typeof channelsOf>[0])
  return {
    ...{ mail, slack, teams, hook, channels },
    /** How many messages have come in all. */
    count: () => mail.received.length + slack.posts.length + teams.hooks.length + hook.hooks.length,
    close: async () => void (await Promise.all([mail, slack, teams, hook].map((each) => each.close()))),
  }
}

export type Receivers = Awaited<ReturnType<typeof receivers>>

/** Deliveries over an engine, on a clock that the test moves, with their API. */
export interface Sending {
  readonly deliveries: Deliveries
  readonly clock: { at: Date }
  readonly failures: unknown[]
  readonly logged: string[]
  ask(method: string, path: string, body?: unknown): Promise<Reply>
  /** Runs what is due at an instant. */
  runAt(instant: string): Promise<readonly string[]>
}

/** Deliveries of an engine to these receivers. */
export function sendingOver(
  engine: Engine,
  { channels }: { readonly channels: DeliveryParts['channels'] },
  options: Partial<DeliveryParts> = {},
): Sending {
  const clock = { at: new Date('2026-11-20T12:00:00Z') }
  const [failures, logged]: [unknown[], string[]] = [[], []]
  const deliveries = createDeliveries({
    ...{ engine, briefings: BUILT_IN, channels, today: () => '2026-11-21', maxLagSeconds: 300 },
    definitions: { time_zone: 'UTC', base_currency: 'USD' },
    onFailure: (error) => failures.push(error),
    now: () => clock.at,
    ...options,
  })
  const limits = { body_bytes: 100_000, csv_bytes: 100_000 }
  const app = createApp({ engine, deliveries, version: '0', corsOrigins: [], limits, log: (line) => logged.push(line) })
  return {
    ...{ deliveries, clock, failures, logged },
    async ask(method, path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await app.request(`/api/${path}`, { method, headers: JSON_BODY, ...sent })
      if (response.status === 500) throw new Error(logged.join('\n'))
      return { status: response.status, body: await response.json() }
    },
    async runAt(instant) {
      clock.at = new Date(instant)
      return deliveries.runDue(AbortSignal.timeout(60_000))
    },
  }
}

/** Every Monday at seven in Berlin. */
export const MONDAYS = { every: 'week', weekday: 'monday', hour: 7, zone: 'Europe/Berlin' } as const
export const DAILY = { every: 'day', hour: 7, zone: 'UTC' } as const

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv')
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')

/** A store on the server of a target that seals secrets, with the rates of the recording. Each call of `open` is that of another process. */
export async function sealingStore(target: Target) {
  const place = await storePlace(target.name)
  const open = () => storeAt(place, SECRET_KEY)
  const store = open()
  await importFxRates(readFileSync(RATES, 'utf8'), store, { maxBytes: 1_000_000 })
  await store.close()
  return { place, open }
}
