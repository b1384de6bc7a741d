import { afterAll, beforeAll, expect, it } from 'vitest'
import { LONGEST_TRANSACTION_SECONDS } from '../../connectors/killbill/changes/settling.ts'
import { type Patience, patienceFor } from '../../src/cache/mirror/options.ts'
import type { Clock } from '../../src/core/clock.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import type { Registry } from '../../src/metrics/registry.ts'
import type { CacheDatabase, CacheWriter } from '../../src/ports/cache-database.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import type { BillingWriter, Writing } from '../support/data/histories/billing-writer.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { beginSubscription } from '../support/data/histories/new-subscription.ts'
import { later } from '../support/data/histories/seeded-dice.ts'
import type { FilledRow } from '../support/data/killbill/insert-rows.ts'
import { firstEngineAndOneOther, sampleOf } from '../support/databases/rotation.ts'
import { isFirst, type TestDatabase } from '../support/databases/targets.ts'
import { type CountedCache, countedCache } from '../support/product/counted-cache.ts'
import { mirrored } from '../support/product/mirrored.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { allOf, keptStore, nameOfSegment, segmentId } from '../support/product/store-with-segments.ts'

const NOW = '2024-05-20 12:00:00'
const QUESTIONS = [
  ['mrr', { query_type: 'current' }],
  ['mrr', { query_type: 'breakdown', start: '2024-01-01', end: '2024-05-20' }],
  ['usage_revenue', { query_type: 'total', start: '2024-01-01', end: '2024-05-20' }],
] as const
const SEGMENTS = { [segmentId(1)]: allOf({ field: 'currency', op: 'is_not_empty' }) }

firstEngineAndOneOther(
  'the cache',
  (target) => {
    let database: TestDatabase
    let writer: BillingWriter
    let direct: Engine
    let now = NOW
    let seconds = 0
    const clock: Clock = { now: () => new Date(`${now.replace(' ', 'T')}Z`) }
    const close: (() => Promise<void>)[] = []

    beforeAll(async () => {
      const filled = await fillDatabase(target, generatedHistory(7, 20))
      database = filled.database
      writer = databaseWriter(database, filled.tables)
      direct = await engineOver(database, await common())
      close.push(
        () => direct.close(),
        () => writer.close(),
      )
    })
    afterAll(async () => {
      for (const one of close.reverse()) await one()
    })

    const common = async () => ({
      tenant: ['all'],
      clock,
      store: await keptStore({ segments: SEGMENTS }, RATES_CSV),
      definitions: { allow_unpriced: true },
    })

    interface Faults {
      readonly executor?: (real: Executor) => Executor
      readonly database?: (real: CacheDatabase) => CacheDatabase
      readonly memoryMb?: number
      readonly registry?: Registry
      readonly patience?: Patience
      /** Wraps the executor between the engine and the replica, for the cache too. */
      readonly wrapExecutor?: (real: Executor) => Executor
    }

    async function cachedEngine(faults: Faults = {}): Promise<{ engine: Engine; cache: CountedCache }> {
      const made: { cache?: CountedCache } = {}
      const engine = await engineOver(database, {
        ...(await common()),
        ...(faults.wrapExecutor === undefined ? {} : { wrapExecutor: faults.wrapExecutor }),
        ...(faults.registry === undefined ? {} : { registry: faults.registry }),
        cache: (executor, connector, definitions) => {
          made.cache = countedCache(
            faults.executor?.(executor) ?? executor,
            mirrored(connector, () => seconds),
            {
              clock,
              definitions,
              wrap: faults.database,
              memoryMb: faults.memoryMb,
              ...(faults.patience === undefined ? {} : { patience: faults.patience }),
            },
          )
          return made.cache
        },
      })
      close.push(() => engine.close())
      if (made.cache === undefined) throw new Error('the engine made no cache')
      return { engine, cache: made.cache }
    }

    // Any of the questions shows the contents of a cache. The second engine gets another one in each turn.
    const questions = sampleOf(target, QUESTIONS, { first: 1, others: QUESTIONS.length })

    let healthy: ReturnType<typeof cachedEngine> | undefined

    /** The cache of all tests in which nothing of it fails: what they write, it sees. */
    const sharedEngine = () => (healthy ??= cachedEngine())

    /** Texts of the statements that a cache asks of the replica and of its own database. */
    const looks: string[] = []
    const reads: string[] = []
    /** Throws at what the cache asks of the replica, when a test wants it. */
    let breaks: (text: string) => void = () => {}
    let heard: ReturnType<typeof cachedEngine> | undefined

    /** The cache of all tests that listen to what it asks. */
    const watchedEngine = () => {
      const hear = (text: string) => {
        looks.push(text)
        breaks(text)
      }
      heard ??= cachedEngine({
        executor: (real) => watched(real, hear),
        database: (real) => ({ ...real, reader: watched(real.reader, (text) => reads.push(text)) }),
      })
      return heard
    }

    const answersOf = async (engine: Engine): Promise<ReadonlyMap<string, unknown>> => {
      const answers = new Map<string, unknown>()
      for (const [metric, params] of questions)
        answers.set(`${metric} ${JSON.stringify(params)}`, (await engine.query(metric, params)).data)
      return answers
    }

    /** Gives the direct answers, which stay right until something is written or the clock moves. */
    async function expectEqual(engine: Engine, wanted?: ReadonlyMap<string, unknown>): Promise<ReadonlyMap<string, unknown>> {
      const expected = wanted ?? (await answersOf(direct))
      expect(await answersOf(engine)).toEqual(expected)
      return expected
    }

    const newSubscription = (created: string) => beginSubscription(writer, created)
    const mrr = async (engine: Engine) => (await engine.query('mrr', { query_type: 'current' })).data

    /** A child's usage on an invoice that its parent pays at that instant; gives an account that has no part in it. */
    async function payForChild(paid: string): Promise<FilledRow> {
      const subscription = writer.rows('subscriptions')[0]
      const ofTenant = writer.rows('accounts').filter((row) => row['tenant_record_id'] === subscription?.['tenant_record_id'])
      const child = ofTenant.find((row) => row['record_id'] === subscription?.['account_record_id'])
      const [parent, other] = ofTenant.filter((row) => row !== child)
      if (child === undefined || parent === undefined || other === undefined)
        throw new Error('three accounts of one tenant are needed')
      const own = (account: FilledRow) => ({
        tenant_record_id: account['tenant_record_id'] ?? null,
        account_record_id: account['record_id'] ?? null,
        account_id: account['id'] ?? null,
        currency: 'EUR',
      })
      const writing = await writer.begin(later(paid, -3_600))
      const invoiced = { status: 'COMMITTED', invoice_date: paid.slice(0, 10) }
      const childs = await writing.insert('invoices', { ...own(child), ...invoiced })
      const parents = await writing.insert('invoices', { ...own(parent), ...invoiced, parent_invoice: true })
      const [child_invoice_id, parent_invoice_id] = [childs['id'] ?? null, parents['id'] ?? null]
      await writing.insert('invoice_items', {
        ...own(child),
        invoice_id: child_invoice_id,
        subscription_id: subscription?.['id'] ?? null,
        type: 'USAGE',
        amount: '70.25',
        start_date: '2024-05-01',
        end_date: null,
        phase_name: 'metered-evergreen',
      })
      const { account_id: _, currency: __, ...ofParent } = own(parent)
      await writing.insert('invoice_items', {
        ...own(parent),
        invoice_id: parent_invoice_id,
        type: 'PARENT_SUMMARY',
        amount: '70.25',
        start_date: paid.slice(0, 10),
      })
      await writing.insert('invoice_parent_children', {
        ...ofParent,
        parent_invoice_id,
        child_invoice_id,
        child_account_id: child['id'] ?? null,
      })
      await writing.insert('invoice_payments', {
        ...ofParent,
        currency: 'EUR',
        invoice_id: parent_invoice_id,
        payment_date: paid,
        amount: '70.25',
        status: 'SUCCESS',
      })
      await writing.commit()
      return other
    }

    // The cache's own database, and checks before a database is asked, work the same over every engine.
    const itOnce = isFirst(target) ? it : () => {}

    it('sees rows that took their numbers earlier and were committed later', async () => {
      const { engine, cache } = await sharedEngine()
      const before = await mrr(engine)
      const slow = await newSubscription(NOW)
      const quick = await newSubscription(NOW)
      await quick.commit()
      const between = await mrr(engine)
      expect(between).not.toEqual(before)
      await expectEqual(engine)
      await slow.commit()
      expect(await mrr(engine)).not.toEqual(between)
      await expectEqual(engine)
      expect(cache.failures()).toEqual([])
    })

    it('still sees them when many looks and hours lie between, and settles what has ended', async () => {
      const { engine, cache } = await sharedEngine()
      await mrr(engine)
      const slow = await newSubscription(NOW)
      for (let look = 0; look < 5; look += 1) {
        await (await newSubscription(NOW)).commit()
        seconds += LONGEST_TRANSACTION_SECONDS / 6
        await mrr(engine)
      }
      const before = await mrr(engine)
      await slow.commit()
      expect(await mrr(engine)).not.toEqual(before)
      await expectEqual(engine)
      seconds += 2 * LONGEST_TRANSACTION_SECONDS
      for (let look = 0; look < 3; look += 1) {
        await (await newSubscription(NOW)).commit()
        seconds += LONGEST_TRANSACTION_SECONDS
        expect(await mrr(engine)).toEqual(await mrr(direct))
      }
      await expectEqual(engine)
      expect(cache.failures()).toEqual([])
    })

    it('answers as of now although no row has changed', async () => {
      const { engine, cache } = await sharedEngine()
      await (await newSubscription('2024-05-20 18:00:00')).commit()
      await expectEqual(engine)
      const before = await mrr(engine)
      now = '2024-05-20 18:00:00'
      expect(await mrr(engine)).not.toEqual(before)
      await expectEqual(engine)
      // A request that was slower than the one before it: only the replica knows what was.
      now = '2024-05-20 17:59:59'
      const cached = cache.answered()
      expect(await mrr(engine)).toEqual(before)
      expect(cache.answered()).toBe(cached)
      now = NOW
    })

    itOnce('serves again, with the right numbers, after a clock that jumped ahead and was put back', async () => {
      const { engine, cache } = await sharedEngine()
      // Nothing is written meanwhile, so that an instant that comes again has the same answers.
      const wanted = await expectEqual(engine)
      const known = new Map([[now, await mrr(direct)]])
      for (const jump of ['2061-01-01 00:00:00', '2024-05-20 12:00:00', '2023-09-01 00:00:00', '2024-06-02 08:00:00', NOW]) {
        now = jump
        const figure = known.get(now) ?? (await mrr(direct))
        known.set(now, figure)
        expect(await mrr(engine), jump).toEqual(figure)
        const before = cache.answered()
        expect(await mrr(engine), jump).toEqual(figure)
        expect(cache.answered() - before, jump).toBe(1)
      }
      const before = cache.answered()
      await expectEqual(engine, wanted)
      expect(cache.answered() - before).toBe(questions.length)
      expect(cache.failures()).toEqual([])
    })

    itOnce('is not put aside by a request about an instant far ahead, or far back', async () => {
      const { engine, cache } = await sharedEngine()
      const { declined } = cache.statistics()
      const wanted = await expectEqual(engine)
      for (const far of ['2061-01-01T00:00:00Z', '1999-01-01T00:00:00Z']) {
        const definitions = definitionsSchema.parse({ base_currency: 'USD', allow_unpriced: true })
        const request = () => ({ now: new Date(far), definitions })
        expect(await cache.read(request, async () => 'an answer'), far).toBeNull()
        const before = cache.answered()
        await expectEqual(engine, wanted)
        expect(cache.answered() - before).toBe(questions.length)
      }
      expect(cache.statistics().declined).toEqual({ ...declined, now_out_of_range: (declined['now_out_of_range'] ?? 0) + 2 })
      expect(cache.failures()).toEqual([])
    })

    itOnce('leaves questions that its readers fail at to the replica, is filled again, and says so', async () => {
      const fault = { isBroken: false }
      const { engine, cache } = await cachedEngine({
        patience: { ...patienceFor(30_000), retryMs: 100 },
        database: (real) => ({
          ...real,
          reader: watched(real.reader, () => {
            if (fault.isBroken) throw new Error('INTERNAL Error: Attempted to access index 0 within vector of size 0')
          }),
        }),
      })
      const told = async () => (await engine.readiness()).checks.cache
      await expectEqual(engine)
      expect(await told()).toMatchObject({
        status: 'ready',
        answered: 3,
        declined: {},
        snapshot_at: new Date(`${NOW}Z`).toISOString(),
      })
      await (await newSubscription(NOW)).commit()
      fault.isBroken = true
      const wanted = await expectEqual(engine)
      expect(cache.answered()).toBe(3)
      expect((await engine.readiness()).status).toBe('ok')
      expect((await told())?.declined['failed']).toBeGreaterThan(0)
      fault.isBroken = false
      await expect.poll(async () => (await told())?.status, { timeout: 30_000 }).toBe('ready')
      await expectEqual(engine, wanted)
      expect(cache.answered()).toBe(6)
    })

    itOnce('shares a refresh among requests that come together', async () => {
      const { engine } = await watchedEngine()
      await mrr(engine)
      looks.length = 0
      await (await newSubscription(NOW)).commit()
      const answers = await Promise.all(Array.from({ length: 12 }, () => mrr(engine)))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(looks.filter((text) => text.includes('killbill.log.marks')).length).toBeLessThanOrEqual(2)
      expect(looks.filter((text) => text.includes('mirror.subscription_events')).length).toBe(1)
    })

    itOnce('is right after a refresh that the replica broke off in the middle', async () => {
      const { engine, cache } = await watchedEngine()
      await mrr(engine)
      const statements = [
        'killbill.log.marks',
        'killbill.log.subscription_event_history',
        'mirror.accounts',
        'mirror.invoice_items',
        'mirror.audit_log',
      ]
      for (const statement of sampleOf(target, statements, { first: 2 })) {
        await (await newSubscription(NOW)).commit()
        breaks = (text) => {
          if (text.includes(statement)) throw new AppError('connector_unavailable', 'connection lost')
        }
        const failures = cache.failures().length
        const wanted = await mrr(direct)
        expect(await mrr(engine), statement).toEqual(wanted)
        expect(cache.failures().length, statement).toBeGreaterThan(failures)
        breaks = () => {}
        expect(await mrr(engine), statement).toEqual(wanted)
      }
      await expectEqual(engine)
    })

    itOnce('keeps nothing of a refresh that its own database broke off', async () => {
      // At the first append, behind one or behind several, in turn.
      for (const appends of sampleOf(target, [0, 1, 4], { first: 3 })) {
        const fault = { appends: Number.POSITIVE_INFINITY }
        const { engine, cache } = await cachedEngine({ database: (real) => failing(real, fault) })
        await mrr(engine)
        await (await newSubscription(NOW)).commit()
        fault.appends = appends
        const wanted = await mrr(direct)
        expect(await mrr(engine)).toEqual(wanted)
        expect(cache.failures().length).toBeGreaterThan(0)
        // The cache fills again after a while, in vain as long as the fault lasts.
        await expect.poll(() => cache.state().status, { timeout: 30_000 }).toBe('failed')
        fault.appends = Number.POSITIVE_INFINITY
        expect(await mrr(engine)).toEqual(wanted)
      }
    })

    itOnce('names in a cross-check what it answers differently', async () => {
      // Nothing is written meanwhile, so both engines may get the remembered answers of the replica.
      const told = new Map<string, Promise<readonly Row[]>>()
      const wrapExecutor = (real: Executor) => remembering(real, told)
      // That a cache answers every metric as the replica does is shown elsewhere.
      const right = await cachedEngine({ wrapExecutor, registry: registryOf('mrr', 'summary') })
      const found = async (engine: Engine) => (await engine.check({ cross: true })).filter(({ name }) => name === 'cache')
      expect((await found(right.engine)).map(({ level }) => level)).toEqual(['ok'])
      const wrong = await cachedEngine({ database: dearer, wrapExecutor, registry: registryOf('mrr', 'summary') })
      const failures = (await found(wrong.engine)).filter(({ level }) => level === 'failure').map(({ message }) => message)
      for (const name of [
        'mrr.current',
        'mrr.current by plan_id',
        'summary',
        'subscriptions',
        `mrr of segment "${nameOfSegment(segmentId(1))}"`,
      ])
        expect(failures).toContain(`${name}: the cache answers differently`)
    })

    itOnce('keeps answers for as long as nothing changes', async () => {
      const { engine } = await watchedEngine()
      const wanted = await expectEqual(engine)
      const first = reads.length
      await expectEqual(engine, wanted)
      expect(reads.length).toBe(first)
      await (await newSubscription(NOW)).commit()
      await expectEqual(engine)
      expect(reads.length).toBeGreaterThan(first)
    })

    it('is right about a child whose parent has paid after a question of the second before', async () => {
      const { engine } = await sharedEngine()
      const usage = async (asked: Engine) =>
        (await asked.query('usage_revenue', { query_type: 'total', start: '2024-01-01', end: '2024-05-20' })).data
      const before = await usage(direct)
      const paid = later(NOW, 1)
      const other = await payForChild(paid)
      now = paid
      expect(await usage(direct)).not.toEqual(before)
      expect(await usage(engine)).toEqual(await usage(direct))
      const touch = await writer.begin(paid)
      await touch.update('accounts', other, { name: 'Touched' })
      await touch.commit()
      for (const seconds of [0, 2, 3, 3_600]) {
        now = later(NOW, seconds)
        expect(await usage(engine), now).toEqual(await usage(direct))
      }
      now = NOW
    })

    it('sees what the engine wrote about one account for the sake of another (KB 2.8)', async () => {
      const { engine, cache } = await sharedEngine()
      const listed = async (asked: Engine) => (await asked.list('subscriptions', { limit: '1000' })).data
      const [subscription] = writer.rows('subscriptions').filter((row) => !isCanceled(row))
      const bundle = writer.rows('bundles').find(({ id }) => id === subscription?.['bundle_id'])
      const other = writer.rows('accounts').find((row) => isNeighbour(row, subscription))
      if (subscription === undefined || bundle === undefined || other === undefined) throw new Error('no such rows')
      const account_record_id = other['record_id'] ?? null
      const cancel = {
        tenant_record_id: subscription['tenant_record_id'] ?? null,
        account_record_id,
        subscription_id: subscription['id'] ?? null,
        event_type: 'API_USER',
        user_type: 'CANCEL',
        effective_date: later(NOW, -60),
      }
      const renamed = { external_key: `kbcncl-${bundle['record_id']}:${bundle['external_key']}` }
      const steps: readonly ((writing: Writing) => Promise<unknown>)[] = [
        (writing) => writing.insert('subscription_events', cancel),
        (writing) => writing.update('bundles', bundle, renamed, account_record_id),
      ]
      for (const step of steps) {
        const before = await listed(engine)
        const writing = await writer.begin(NOW)
        await step(writing)
        await writing.commit()
        expect(await listed(engine)).not.toEqual(before)
        expect(await listed(engine)).toEqual(await listed(direct))
      }
      await expectEqual(engine)
      expect(cache.failures()).toEqual([])
    })

    const isCanceled = ({ id }: FilledRow) =>
      writer.rows('subscription_events').some((row) => row['subscription_id'] === id && row['user_type'] === 'CANCEL')
    const isNeighbour = (row: FilledRow, of: FilledRow | undefined) =>
      row['tenant_record_id'] === of?.['tenant_record_id'] && row['record_id'] !== of?.['account_record_id']

    itOnce('asks the replica where its database has not enough memory', async () => {
      const { engine, cache } = await cachedEngine({ memoryMb: 1 })
      expect(await mrr(engine)).toEqual(await mrr(direct))
      expect(cache.answered()).toBe(0)
      expect(cache.state().status).toBe('failed')
    })

    it('notices a row that takes the place of one that is gone, so that there are as many as before', async () => {
      await (await newSubscription(NOW)).commit()
      const { engine, cache } = await sharedEngine()
      const before = await mrr(engine)
      const subscription = writer.rows('subscriptions').at(-1)
      const owner = {
        tenant_record_id: subscription?.['tenant_record_id'] ?? null,
        account_record_id: subscription?.['account_record_id'] ?? null,
      }
      const [entry] = await database.adminQuery('select max(record_id) as last from subscription_event_history')
      await database.adminQuery(`delete from subscription_event_history where record_id = ${entry?.['last']}`)
      const cancelling = await writer.begin(NOW)
      const cancel = { event_type: 'API_USER', user_type: 'CANCEL', effective_date: NOW }
      await cancelling.insert('subscription_events', { ...owner, ...cancel, subscription_id: subscription?.['id'] ?? null })
      await cancelling.commit()
      expect(await mrr(engine)).not.toEqual(before)
      await expectEqual(engine)
      expect(cache.failures()).toEqual([])
    })

    it('starts again when rows that it has seen are gone: an older copy of the database', async () => {
      const { engine, cache } = await sharedEngine()
      const writing = await newSubscription(NOW)
      await writing.commit()
      const before = await mrr(engine)
      const [event] = await database.adminQuery('select max(record_id) as last from subscription_events')
      const [entry] = await database.adminQuery('select max(record_id) as last from subscription_event_history')
      await database.adminQuery(`delete from subscription_events where record_id = ${event?.['last']}`)
      await database.adminQuery(`delete from subscription_event_history where record_id = ${entry?.['last']}`)
      expect(await mrr(engine)).not.toEqual(before)
      await expectEqual(engine)
      expect(cache.failures()).toEqual([])
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

/** An executor that tells each statement before it runs; `hear` may throw. */
function watched(real: Executor, hear: (text: string) => void): Executor {
  return {
    ...real,
    withSnapshot: (work, options) =>
      real.withSnapshot((snapshot) => {
        const listening: Snapshot = {
          ...snapshot,
          query: async (statement) => {
            hear(statement.text)
            return snapshot.query(statement)
          },
        }
        return work(listening)
      }, options),
  }
}

/** An executor that asks each statement once. */
function remembering(real: Executor, told: Map<string, Promise<readonly Row[]>>): Executor {
  return {
    ...real,
    withSnapshot: (work, options) =>
      real.withSnapshot((snapshot) => {
        const query: Snapshot['query'] = (statement) => {
          const key = JSON.stringify([statement.text, statement.values])
          const rows = told.get(key) ?? snapshot.query(statement)
          told.set(key, rows)
          return rows
        }
        return work({ ...snapshot, query })
      }, options),
  }
}

/** Fewer metrics to ask: what is answered differently is asked several times. */
function registryOf(...names: readonly string[]): Registry {
  const all = builtInRegistry()
  return { ...all, metrics: new Map([...all.metrics].filter(([name]) => names.includes(name))) }
}

/** A database in which every span is a cent dearer than it is. */
function dearer(real: CacheDatabase): CacheDatabase {
  const raise = 'update cached_subscription_span set subscription_mrr_cents = subscription_mrr_cents + 1'
  return {
    ...real,
    write: (work) =>
      real.write((writer) =>
        work({
          ...writer,
          async query(statement) {
            const rows = await writer.query(statement)
            if (statement.text.startsWith('insert into cached_subscription_span')) {
              await writer.query({ text: raise, values: [], label: 'test.raise' })
            }
            return rows
          },
        }),
      ),
  }
}

/** A database whose writer fails after `fault.appends` appends. */
function failing(real: CacheDatabase, fault: { appends: number }): CacheDatabase {
  return {
    ...real,
    write: (work) =>
      real.write((writer) => {
        let appends = 0
        const broken: CacheWriter = {
          ...writer,
          async append(table, columns, rows, place) {
            if (appends >= fault.appends) throw new Error('no space left')
            appends += 1
            await writer.append(table, columns, rows, place)
          },
        }
        return work(broken)
      }),
  }
}
