import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { HORIZON } from '../../src/cache/mirror/mirror-tables.ts'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { groupBy } from '../../src/core/group-by.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { CacheState } from '../../src/ports/read-through.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type Held, heldDifferences, type SoakedCache, soakedCache } from '../support/product/held-rows.ts'

const MOMENT = { now: '2024-05-20 12:00:00', seconds: 0 }
const ACCOUNTS = 40
const BUCKET = 8
/** The statement in the middle of a bucket before which its session is killed. */
const MIDDLE = 4
/** Parts of a filling are tried again after some milliseconds. */
const PATIENCE = { ...patienceFor(240_000), retryMs: 2_000 }

interface Filling {
  readonly kept: SoakedCache
  readonly states: readonly CacheState[]
  /** Snapshots opened on the billing database. */
  snapshots(): number
}

firstEngineAndOneOther(
  'a filling in buckets',
  (target) => {
    let database: TestDatabase
    let undisturbed: { readonly held: Held; readonly snapshots: number }
    const open: SoakedCache[] = []

    beforeAll(async () => {
      database = (await fillDatabase(target, generatedHistory(11, ACCOUNTS))).database
      const filling = begin(() => undefined)
      undisturbed = { held: await filling.kept.held(MOMENT), snapshots: filling.snapshots() }
      const customers = undisturbed.held.tables['customer']?.length ?? 0
      expect(customers).toBeGreaterThan(3 * BUCKET)
      // The first one, the buckets, and the refreshes after the filling and before the answer.
      expect(undisturbed.snapshots).toBe(1 + Math.ceil(customers / BUCKET) + 2)
    })
    afterEach(async () => {
      for (const { cache } of open.splice(0)) await cache.close()
    })

    /** Ends all sessions of the database except the administrator's, and waits until they are gone. */
    async function killSessions(): Promise<void> {
      const [others, kill] =
        target.dialect.name === 'postgres'
          ? [
              'select pid as id from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
              (id: unknown) => `select pg_terminate_backend(${id})`,
            ]
          : [
              'select id from information_schema.processlist where db = database() and id <> connection_id()',
              (id: unknown) => `kill ${id}`,
            ]
      for (;;) {
        const sessions = await database.adminQuery(others)
        if (sessions.length === 0) return
        // It may have ended by itself.
        for (const { id } of sessions) await database.adminQuery(kill(id)).catch(() => [])
        await setTimeout(10)
      }
    }

    /** `killedAt` gives the statement of a snapshot before which its session is killed. */
    function begin(
      killedAt: (snapshot: number) => number | undefined,
      wrap?: (database: CacheDatabase) => CacheDatabase,
      bucket = BUCKET,
    ): Filling {
      let snapshots = 0
      const states: CacheState[] = []
      const real = database.executor({ poolSize: 2 })
      const executor: Executor = {
        ...real,
        withSnapshot(work, options) {
          snapshots += 1
          let left = killedAt(snapshots) ?? Number.POSITIVE_INFINITY
          const passing = async <T>(run: () => Promise<T>): Promise<T> => {
            left -= 1
            if (left === 0) await killSessions()
            return run()
          }
          return real.withSnapshot(({ csv, ...snapshot }) => {
            const query: typeof snapshot.query = (statement) => passing(() => snapshot.query(statement))
            if (csv === undefined) return work({ ...snapshot, query })
            const write: typeof csv.write = (...rest) => passing(() => csv.write(...rest))
            return work({ ...snapshot, query, csv: { ...csv, write } })
          }, options)
        },
      }
      const kept = soakedCache(executor, 'filling', null, wrap, {
        bucket,
        patience: PATIENCE,
        onProgress: (state) => states.push(state),
      })
      open.push(kept)
      return { kept, states, snapshots: () => snapshots }
    }

    const expectSameRows = (held: Held) =>
      expect(heldDifferences(['interrupted', held.tables], ['undisturbed', undisturbed.held.tables])).toBeUndefined()

    it('has the rows of a filling of all customers at once, although some are linked across buckets', async () => {
      const { kept } = begin(() => undefined, undefined, ACCOUNTS)
      const { tables } = await kept.held(MOMENT)
      const rowsOf = (relation: string): readonly Record<string, string>[] =>
        (tables[relation] ?? []).map((line) => JSON.parse(line))
      const keys = rowsOf('customer')
        .map(({ customer_key }) => Number(customer_key))
        .sort((a, b) => a - b)
      // At once, the horizons have the test accounts too.
      const counted = rowsOf(HORIZON).filter(({ customer_key }) => keys.includes(Number(customer_key)))
      expectSameRows({ filled_at: '', tables: { ...tables, [HORIZON]: counted.map((row) => JSON.stringify(row)) } })
      const bucketOf = (key: string | undefined) => Math.floor(keys.indexOf(Number(key)) / BUCKET)
      const linked = [...groupBy(rowsOf('customer_link'), ({ link_key }) => String(link_key)).values()]
      const areApart = linked.some((own) => new Set(own.map(({ customer_key }) => bucketOf(customer_key))).size > 1)
      expect(areApart).toBe(true)
    })

    it('of all customers at once shows how far it is by its tables and steps', async () => {
      const { kept, states } = begin(() => undefined, undefined, ACCOUNTS)
      await kept.held(MOMENT)
      const shares = states.flatMap(({ status, progress }) => (status === 'filling' ? [progress?.share ?? 0] : []))
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(new Set(shares).size).toBeGreaterThan(20)
      const rows = states.flatMap(({ progress }) => progress?.rows ?? [])
      expect(new Set(rows).size).toBeGreaterThan(3)
      expect(shares.filter((share) => share === 1)).toHaveLength(1)
    })

    it('reads each part again whose session ends, and stores the marks with the last bucket only', async () => {
      const customersAtMarks: unknown[] = []
      // The first snapshot, each bucket and the refresh of the filling lose their sessions once.
      const parts = undisturbed.snapshots - 1
      const killedAt = (snapshot: number) => {
        if (snapshot % 2 === 0 || snapshot > 2 * parts) return undefined
        return snapshot === 2 * parts - 1 ? 1 : MIDDLE
      }
      const { kept, snapshots, states } = begin(killedAt, (real) => countingAtMarks(real, customersAtMarks))
      expectSameRows(await kept.held(MOMENT))
      expect(snapshots()).toBe(2 * parts + 1)
      expect(kept.failures()).toHaveLength(parts)
      expect(kept.failures().every((text) => text.includes('billing database'))).toBe(true)
      expect(states.some(({ status }) => status === 'failed')).toBe(false)
      expect(customersAtMarks[0]).toBe(undisturbed.held.tables['customer']?.length)
    })

    it('halves a bucket that fails five times', async () => {
      const { kept, snapshots, states } = begin((snapshot) => (snapshot >= 2 && snapshot <= 6 ? MIDDLE : undefined))
      expectSameRows(await kept.held(MOMENT))
      expect(snapshots()).toBe(undisturbed.snapshots + 5 + 1)
      const filled = states.filter(({ status }) => status === 'filling').map(({ accounts }) => accounts)
      expect([...new Set(filled)].slice(0, 4)).toEqual([0, BUCKET / 2, BUCKET, 2 * BUCKET])
    })

    it('fails when no part can be read, and leaves the answers to the database', async () => {
      const { kept, states } = begin((snapshot) => (snapshot >= 2 ? MIDDLE : undefined))
      await expect(kept.held(MOMENT)).rejects.toThrow('the cache does not answer')
      const failed = states.find(({ status }) => status === 'failed')
      expect(failed?.reason).toContain('billing database')
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

/** Notes the number of customers in the tables each time that marks are stored. */
function countingAtMarks(real: CacheDatabase, found: unknown[]): CacheDatabase {
  return {
    ...real,
    write: (work) =>
      real.write((writer) =>
        work({
          ...writer,
          async query(statement) {
            if (statement.text.includes('insert into cached_state') && statement.values.includes('marks')) {
              const counted = await writer.query({ text: 'select count(*) as n from cached_customer', values: [], label: 'test' })
              found.push(Number(counted[0]?.['n']))
            }
            return writer.query(statement)
          },
        }),
      ),
  }
}
