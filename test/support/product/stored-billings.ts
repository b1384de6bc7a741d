import { fixedClock } from '../../../src/core/clock.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Store } from '../../../src/ports/store.ts'
import { databaseWriter } from '../data/histories/database-writer.ts'
import { fillDatabase } from '../data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../data/histories/generated-history.ts'
import { beginSubscription } from '../data/histories/new-subscription.ts'
import { fillLago, generatedLago, LAGO_RATES } from '../data/lago/generated/generated-lago.ts'
import { DAY } from '../data/lago/generated/lago-scene.ts'
import { instantText } from '../data/lago/generated/lago-store.ts'
import { lagoWriter } from '../data/lago/generated/lago-writer.ts'
import type { TargetName } from '../databases/target-places.ts'
import type { Target, TestDatabase } from '../databases/test-database.ts'
import { type CountedCache, cachedEngineOver } from './counted-cache.ts'
import type { Moment, SoakedBilling } from './held-rows.ts'
import { SOAKED_LAGO } from './lago-cache.ts'
import { lagoEngine } from './lago-engine.ts'
import { type CacheOptions, engineOver, ratesOnly } from './recorded-engine.ts'

/** Options of the engines over one database. */
export interface StoredOptions {
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly definitions?: Readonly<Record<string, unknown>> | undefined
}

/** A database with a generated history, to which more can be written. */
export interface FilledBilling {
  readonly database: TestDatabase
  /** An instant at the end of the history, and one some days later at which rows have changed by themselves. */
  readonly moments: readonly [now: Moment, later: Moment]
  /** Writes a new subscription, in a transaction that is not committed yet. */
  begin(): Promise<{ commit(): Promise<void> }>
  /** Changes what a plan costs, as an upload of a catalog or a save of a plan does. */
  changePrices(): Promise<void>
  close(): Promise<void>
}

/** A billing engine whose cache is stored. */
export interface StoredBilling {
  readonly type: 'killbill' | 'lago'
  /** The engines of databases that it runs on. */
  readonly only: readonly TargetName[]
  /** Undefined: that of `soakedCache`. */
  readonly soaked: SoakedBilling | undefined
  fill(target: Target, seed: number, accounts: number): Promise<FilledBilling>
  /** The product that reads the database alone. */
  direct(database: TestDatabase, options: StoredOptions): Promise<Engine>
  /** The product with a cache. */
  cached(
    database: TestDatabase,
    options: StoredOptions,
    cacheOptions: Partial<CacheOptions>,
  ): Promise<{ readonly engine: Engine; readonly cache: CountedCache }>
}

const instant = (now: string) => new Date(`${now.replace(' ', 'T')}Z`)

let rates: Promise<Store> | undefined
async function killbillOptions({ now, definitions }: StoredOptions) {
  rates ??= ratesOnly(RATES_CSV)
  return {
    tenant: ['all'],
    clock: fixedClock(instant(now)),
    store: await rates,
    definitions: { allow_unpriced: true, ...definitions },
  }
}

const KILLBILL: StoredBilling = {
  type: 'killbill',
  only: ['postgres', 'mariadb', 'mysql'],
  soaked: undefined,
  async fill(target, seed, accounts) {
    const [now, later] = ['2024-05-20 12:00:00', '2024-06-11 12:00:00']
    const { database, tables } = await fillDatabase(target, generatedHistory(seed, accounts))
    const writer = databaseWriter(database, tables)
    return {
      database,
      moments: [
        { now, seconds: 0 },
        { now: later, seconds: 60 },
      ],
      begin: () => beginSubscription(writer, now),
      async changePrices() {
        const [catalog] = writer.rows('tenant_kvs')
        if (catalog === undefined) throw new Error('a catalog is needed')
        const writing = await writer.begin(now)
        await writing.update('tenant_kvs', catalog, { is_active: false })
        await writing.insert('tenant_broadcasts', {
          tenant_record_id: catalog['tenant_record_id'] ?? null,
          target_record_id: catalog['record_id'] ?? null,
          target_table_name: 'TENANT_KVS',
          type: 'CATALOG',
          user_token: 'token',
        })
        await writing.commit()
      },
      close: () => writer.close(),
    }
  },
  direct: async (database, options) => engineOver(database, await killbillOptions(options)),
  cached: async (database, options, cacheOptions) => cachedEngineOver(database, await killbillOptions(options), cacheOptions),
}

const LAGO: StoredBilling = {
  type: 'lago',
  only: ['postgres'],
  soaked: SOAKED_LAGO,
  async fill(target, seed, accounts) {
    const history = generatedLago({ seed, customers: Math.ceil(accounts / 2), calls: 8 })
    const { store, end } = history
    const at = end - 22 * DAY
    const database = await target.createDatabase()
    await fillLago(database, history)
    const writer = lagoWriter(database)
    const [customer] = store.rows('customers').filter((row) => row['account_type'] === 'customer')
    const owner = { organization_id: customer?.['organization_id'] ?? null, customer_id: customer?.['id'] ?? null }
    const plan = store
      .rows('plans')
      .find((row) => row['organization_id'] === owner.organization_id && Number(row['amount_cents']) > 0 && !row['trial_period'])
    if (plan === undefined) throw new Error('a plan with a price is needed')
    let begun = 0
    return {
      database,
      moments: [
        { now: instantText(at).slice(0, 19), seconds: 0 },
        { now: instantText(end).slice(0, 19), seconds: 60 },
      ],
      begin() {
        begun += 1
        const own = { ...owner, plan_id: plan['id'] ?? null, external_id: `stored-${begun}` }
        store.insert('subscriptions', at, { ...own, status: 1, started_at: instantText(at), subscription_at: instantText(at) })
        return writer.begin(store.takeJournal())
      },
      async changePrices() {
        store.update('plans', at, plan, { amount_cents: Number(plan['amount_cents']) + 100 })
        await (await writer.begin(store.takeJournal())).commit()
      },
      close: () => writer.close(),
    }
  },
  direct: (database, options) => lagoEngine(database, lagoOptions(options)),
  async cached(database, options, cacheOptions) {
    const made: CountedCache[] = []
    const onCache = (cache: CountedCache) => void made.push(cache)
    const engine = await lagoEngine(database, { ...lagoOptions(options), onCache, cacheOptions })
    const [cache] = made
    if (cache === undefined) throw new Error('the engine made no cache')
    return { engine, cache }
  },
}

const lagoOptions = ({ now, definitions = {} }: StoredOptions) => ({
  organization: ['all'],
  now: instant(now),
  rates: LAGO_RATES,
  definitions,
})

export const STORED_BILLINGS: readonly StoredBilling[] = [KILLBILL, LAGO]
