import { setTimeout } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { MOST_SETS } from '../../src/cache/mirror/kept-sets.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { SetOptions } from '../../src/core/definitions.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { beginSubscription } from '../support/data/histories/new-subscription.ts'
import { beginRandomWrite } from '../support/data/histories/random-writes.ts'
import { DAY, dice, later } from '../support/data/histories/seeded-dice.ts'
import { PROPERTY_FACTOR, seedFor } from '../support/data/property-runs.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { keptStore } from '../support/product/store-with-segments.ts'

const SEED = 20261127
const ACCOUNTS = 30
const START = '2024-05-20 12:00:00'
const ROUNDS = 8
const SETS: Readonly<Record<string, SetOptions>> = {
  by_customer: { grain: 'customer' },
  short_memory: { reactivation_window: 30 },
  plugin: { mrr_usage: 'off', pause: 'keep', quantity: 'one', billing_periods: 'MONTHLY,ANNUAL' },
  swaps: { swap_window: 1_440 },
  swaps_by_customer: { swap_window: 1_440, grain: 'customer', mrr_usage: 'off' },
  revalued: { fx: 'constant:2024-01-31', pause: 'keep' },
  elsewhere: { time_zone: 'America/New_York', grain: 'customer' },
}
const NAMES = Object.keys(SETS)

async function optionsAt(now: () => string) {
  const clock: Clock = { now: () => new Date(`${now().replace(' ', 'T')}Z`) }
  const store = await keptStore({}, RATES_CSV)
  return { tenant: ['all'], clock, store, definitions: { allow_unpriced: true }, sets: SETS }
}

oneEngineInRotation('answers under a definition set whose relations are kept', (target) => {
  it('are those of the billing database, also after each refresh and with more sets than are kept', async () => {
    const seed = seedFor(target, SEED)
    const { database, tables } = await fillDatabase(target, generatedHistory(seed, ACCOUNTS))
    const writer = databaseWriter(database, tables)
    const draw = dice(seed)
    let now = START
    const options = await optionsAt(() => now)
    const readings = { kept: 0 }
    const direct = await engineOver(database, options)
    const { engine: cached, cache } = await cachedEngineOver(database, options, {
      wrap: (real) => countingKept(real, readings),
    })
    const questionsOf = (set: string) => [
      cachedAnd('mrr', { definitions: set }),
      cachedAnd('mrr', { query_type: 'series', start: '2023-06-01', end: now.slice(0, 10), definitions: set }),
      cachedAnd('mrr', { query_type: 'waterfall', start: '2023-06-01', end: now.slice(0, 10), definitions: set }),
      cachedAnd('churn', { start: '2023-06-01', end: now.slice(0, 10), definitions: set }),
      cachedAnd('retention', { query_type: 'nrr', start: '2023-06-01', end: now.slice(0, 10), definitions: set }),
    ]
    const cachedAnd = (metric: string, params: Readonly<Record<string, string>>) => async (label: string) => {
      const [kept, made] = [await cached.query(metric, params), await direct.query(metric, params)]
      expect(kept.data, `${label}: ${metric} ${JSON.stringify(params)}`).toEqual(made.data)
    }
    try {
      for (let round = 1; round <= ROUNDS * PROPERTY_FACTOR; round += 1) {
        // Two sets in turn, so that each is asked again after it was kept. From time to time, others want their places.
        const first = Math.floor(round / 3) % NAMES.length
        for (const set of [NAMES[first], NAMES[(first + 1) % NAMES.length]] as string[])
          for (const ask of questionsOf(set)) await ask(`seed ${seed}, round ${round}`)
        for (let count = draw.below(4); count > 0; count -= 1) await (await beginRandomWrite(writer, draw, now)).commit()
        if (draw.chance(30)) now = later(now, draw.pick([1, DAY, 17 * DAY]))
      }
      expect(cache.failures()).toEqual([])
      expect(readings.kept).toBeGreaterThan(0)
      expect(NAMES.length).toBeGreaterThan(MOST_SETS)
    } finally {
      await writer.close()
      await cached.close()
      await direct.close()
    }
  }, 600_000)

  it('are never those of a set that had its place before', async () => {
    const { database } = await fillDatabase(target, generatedHistory(seedFor(target, SEED), ACCOUNTS))
    const options = await optionsAt(() => START)
    const readings = { kept: 0 }
    const direct = await engineOver(database, options)
    const { engine: cached } = await cachedEngineOver(database, options, { wrap: (real) => countingKept(real, readings) })
    const real = performance.now.bind(performance)
    let ahead = 0
    const elapsed = vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead)
    const starts = ['2023-03-01', '2023-04-01', '2023-05-01', '2023-06-01', '2023-07-01', '2023-08-01']
    try {
      const answers = new Set<string>()
      for (const definitions of NAMES) {
        // The sets before have been idle so long that they leave their places.
        ahead += 5_000
        for (const start of starts) {
          const params = { query_type: 'waterfall', start, end: START.slice(0, 10), definitions }
          const { data } = await direct.query('mrr', params)
          expect((await cached.query('mrr', params)).data, `${definitions} from ${start}`).toEqual(data)
          answers.add(JSON.stringify(data))
        }
      }
      expect(answers.size).toBeGreaterThan(3 * starts.length)
      expect(readings.kept).toBeGreaterThan(NAMES.length)
    } finally {
      elapsed.mockRestore()
      await cached.close()
      await direct.close()
    }
  }, 600_000)

  it('are made for some customers at a time, and a refresh comes between', async () => {
    const { database, tables } = await fillDatabase(target, generatedHistory(seedFor(target, SEED), ACCOUNTS))
    const writer = databaseWriter(database, tables)
    const options = await optionsAt(() => START)
    const written: ('kept' | 'held')[] = []
    let waiting = 0
    let refreshing: Promise<unknown> | undefined
    let isRefreshed = false
    const onKept = async () => {
      written.push('kept')
      if (refreshing === undefined) {
        await (await beginSubscription(writer, START)).commit()
        refreshing = cached.query('mrr', {}).finally(() => {
          isRefreshed = true
        })
      }
      // The next work of the refresh then comes before the next customers. After its held rows, the refresh itself replaces kept rows, and
      // must not wait for itself.
      const isHeld = () => written.lastIndexOf('held') > written.indexOf('kept')
      while (waiting === 0 && !isHeld() && !isRefreshed) await setTimeout(5)
    }
    const { engine: cached, cache } = await cachedEngineOver(database, options, {
      wrap: (real) => ({
        ...real,
        write(work) {
          waiting += 1
          return real.write((held) => {
            waiting -= 1
            return work({
              ...held,
              async query(statement) {
                if (statement.text.startsWith('insert into work.kept_')) await onKept()
                return held.query(statement)
              },
              append(table, ...rows) {
                if (table.startsWith('cached_')) written.push('held')
                return held.append(table, ...rows)
              },
            })
          })
        },
      }),
    })
    const direct = await engineOver(database, options)
    const paramsOf = (start: string) => ({ query_type: 'waterfall', start, end: START.slice(0, 10), definitions: 'by_customer' })
    try {
      for (const start of ['2023-02-01', '2023-03-01']) await cached.query('mrr', paramsOf(start))
      while (refreshing === undefined) await setTimeout(5)
      await refreshing
      for (const start of ['2023-02-01', '2023-04-01', '2023-05-01', '2023-06-01'])
        expect((await cached.query('mrr', paramsOf(start))).data, start).toEqual(
          (await direct.query('mrr', paramsOf(start))).data,
        )
      // After the held rows come the kept rows that the refresh replaces, and those of the next customers.
      expect(written.join(' ')).toMatch(/kept held.* kept kept/)
      expect(cache.failures()).toEqual([])
    } finally {
      await writer.close()
      await cached.close()
      await direct.close()
    }
  }, 600_000)

  it('are made at each question if their rows cannot be replaced, and other answers still come from the cache', async () => {
    const { database, tables } = await fillDatabase(target, generatedHistory(seedFor(target, SEED), ACCOUNTS))
    const writer = databaseWriter(database, tables)
    const draw = dice(SEED)
    const options = await optionsAt(() => START)
    let isBroken = false
    const readings = { kept: 0 }
    const { engine: cached, cache } = await cachedEngineOver(database, options, {
      wrap: (real) =>
        countingKept(
          {
            ...real,
            write: (work) =>
              real.write((held) =>
                work({
                  ...held,
                  query(statement) {
                    if (isBroken && statement.text.startsWith('insert into work.kept_')) throw new Error('no rows today')
                    return held.query(statement)
                  },
                }),
              ),
          },
          readings,
        ),
    })
    const direct = await engineOver(database, options)
    const ask = async (start: string, definitions: string) => {
      const params = { query_type: 'waterfall', start, end: START.slice(0, 10), definitions }
      expect((await cached.query('mrr', params)).data, `${definitions} ${start}`).toEqual(
        (await direct.query('mrr', params)).data,
      )
    }
    try {
      for (const start of ['2023-02-01', '2023-03-01', '2023-04-01', '2023-05-01', '2023-06-01']) await ask(start, 'by_customer')
      expect(readings.kept).toBeGreaterThan(0)
      isBroken = true
      const before = { kept: readings.kept, answered: cache.answered() }
      for (let round = 0; round < 3; round += 1) {
        await (await beginRandomWrite(writer, draw, START)).commit()
        await ask('2023-02-01', 'by_customer')
        await ask('2023-02-01', 'default')
      }
      expect(readings.kept).toBe(before.kept)
      expect(cache.answered()).toBe(before.answered + 6)
      // The log says which rows of which set have failed, and why.
      const failed =
        /^InternalError: The cache cannot keep the rows of customer_movement of a definition set: grain customer, mrr_usage mean3, /
      expect(cache.failures()).toEqual([expect.objectContaining({ cause: new Error('no rows today') })])
      expect(cache.failures().map(String)).toEqual([expect.stringMatching(failed)])
    } finally {
      await writer.close()
      await cached.close()
      await direct.close()
    }
  }, 600_000)
})

/** Counts the statements of readers that read kept tables. */
function countingKept(real: CacheDatabase, readings: { kept: number }): CacheDatabase {
  return {
    ...real,
    reader: {
      ...real.reader,
      withSnapshot: (work, options) =>
        real.reader.withSnapshot(
          (snapshot) =>
            work({
              ...snapshot,
              query(statement) {
                if (statement.text.includes('work.kept_')) readings.kept += 1
                return snapshot.query(statement)
              },
            }),
          options,
        ),
    },
  }
}
