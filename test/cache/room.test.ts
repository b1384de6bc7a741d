import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import type { Shortage } from '../../src/core/errors.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import { fileRoom } from '../../src/databases/duckdb/room.ts'
import { MEBIBYTE } from '../../src/databases/options.ts'
import type { CacheDatabase, CacheRoom } from '../../src/ports/cache-database.ts'
import type { CacheState } from '../../src/ports/read-through.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { cachedEngineOver } from '../support/product/counted-cache.ts'
import { type Held, heldDifferences, type SoakedCache, soakedCache } from '../support/product/held-rows.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { keptStore } from '../support/product/store-with-segments.ts'

const MOMENT = { now: '2024-05-20 12:00:00', seconds: 0 }
const ACCOUNTS = 40
const BUCKET = 4
const DAY_MS = 86_400_000
const PATIENCE = { ...patienceFor(240_000), retryMs: 1 }
/** Room for half of the rows. */
const SMALL_DISK = '96k'

const MOUNTS = mayMount()

oneEngineInRotation(
  'a cache without room',
  (target) => {
    let database: TestDatabase
    let wanted: Held
    const cleanings: (() => unknown)[] = []

    beforeAll(async () => {
      database = (await fillDatabase(target, generatedHistory(11, ACCOUNTS))).database
      const undisturbed = soakedCache(database.executor({ poolSize: 2 }), 'undisturbed', null, undefined, { bucket: BUCKET })
      wanted = await undisturbed.held(MOMENT).finally(() => undisturbed.cache.close())
    })
    afterEach(async () => {
      for (const clean of cleanings.splice(0).reverse()) await clean()
    })

    async function newDirectory(): Promise<string> {
      const directory = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-room-')))
      cleanings.push(() => rm(directory, { recursive: true }))
      return directory
    }

    interface Begun extends SoakedCache {
      readonly states: readonly CacheState[]
      readonly errors: readonly Shortage[]
      readonly notices: readonly string[]
    }

    function begin(stored: string, room?: (real: CacheRoom) => CacheRoom): Begun {
      const states: CacheState[] = []
      const errors: Shortage[] = []
      const notices: string[] = []
      const wrap = (real: CacheDatabase): CacheDatabase =>
        room === undefined ? real : { ...real, room: async (rows) => room(await real.room(rows)) }
      const cache = soakedCache(database.executor({ poolSize: 2 }), 'room', stored, wrap, {
        bucket: BUCKET,
        patience: PATIENCE,
        onProgress: (state) => states.push(state),
        onNotice: (text) => notices.push(text),
        onFailure: (error) => errors.push(error as Shortage),
      })
      cleanings.push(() => cache.cache.close())
      return { ...cache, states, errors, notices }
    }

    const expectRight = (held: Held) => expect(heldDifferences(['found', held.tables], ['wanted', wanted.tables])).toBeUndefined()

    it.skipIf(!MOUNTS)(
      'stops before its disk is full, leaves nothing there and fills in memory, as after a failure of the disk',
      async () => {
        const disk = await newDirectory()
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK}`, 'tmpfs', disk])
        cleanings.push(() => execFileSync('umount', [disk]))
        const { held, states, errors, notices } = begin(disk)
        expectRight(await held(MOMENT))
        expect(errors.map(({ message }) => message)).toEqual([
          expect.stringMatching(
            /^The disk of the cache is too small: the filling needs about [\d.]+ KiB more, and [\d.]+ KiB are free\. Free space on it, set cache\.directory to a directory on a larger one, or set cache\.mode to off\.$/,
          ),
        ])
        expect(errors[0]?.operatorDetail).toContain(`The disk of the cache, at ${disk}, is too small`)
        const failed = states.findIndex(({ status }) => status === 'failed')
        expect(states[failed]?.reason).toBe(errors[0]?.message)
        // It has measured some buckets, and has not filled most of them.
        const before = states.slice(0, failed).findLast(({ progress }) => progress?.accounts_total != null)
        expect(before?.accounts).toBeGreaterThan(0)
        expect(before?.progress?.share).toBeLessThan(0.5)
        await vi.waitFor(async () => expect(await readdir(disk)).toEqual([]), 60_000)
        expect(notices).toEqual(['The cache is not stored: its disk is too small.'])
      },
    )

    it('that is renewed goes on answering, says why, and is renewed in memory', async () => {
      const stored = await newDirectory()
      let free = Number.POSITIVE_INFINITY
      let ahead = 0
      const { held, cache, states, errors } = begin(stored, (real) => (real.place === 'file' ? { ...real, free } : real))
      const first = await held(MOMENT)
      const [file = ''] = await filesIn(stored)
      const { taken } = await fileRoom(join(stored, file))
      const real = Date.now.bind(Date)
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + ahead)
      cleanings.push(() => clock.mockRestore())
      // Old, and a fifth of the file fits. Its rows may take a quarter of it, but not less.
      ahead = 2 * DAY_MS
      free = taken / 5
      await held(MOMENT)
      await vi.waitFor(() => expect(errors).toHaveLength(1), 60_000)
      expect(errors[0]?.message).toMatch(/^The disk of the cache is too small: the filling needs about/)
      expect(states.at(-1)).toMatchObject({ status: 'ready', reason: errors[0]?.message })
      await vi.waitFor(async () => expect(await filesIn(stored)).toEqual([file]), 60_000)
      // Each answer is right, from the old one and from the one in memory. The next question after that begins no renewal.
      for (let turn = 0; (await filesIn(stored)).length > 0; turn += 1) {
        expect(turn).toBeLessThan(200)
        expectRight(await held(MOMENT))
        await cache.ready()
      }
      expect((await held(MOMENT)).filled_at).not.toBe(first.filled_at)
      expect(cache.state()).toEqual({ status: 'ready', accounts: wanted.tables['customer']?.length })
      expect(errors).toHaveLength(1)
    })

    it('answers a set of definitions without keeping it', async () => {
      const options = {
        tenant: ['all'],
        now: new Date('2024-05-20T12:00:00Z'),
        definitions: { allow_unpriced: true },
        sets: { by_customer: { grain: 'customer' as const } },
        store: await keptStore({}, RATES_CSV),
      }
      const direct = await engineOver(database, options)
      let opened: CacheDatabase | undefined
      const { engine: cached, cache } = await cachedEngineOver(database, options, {
        wrap: (real) => {
          opened = real
          // Each part takes a mebibyte.
          let parts = 0
          const room = async (): Promise<CacheRoom> => {
            parts += 1
            return { place: 'memory', directory: '', taken: parts * MEBIBYTE, free: MEBIBYTE / 2 }
          }
          return { ...real, room: (rows) => (rows === 'work' ? room() : real.room(rows)) }
        },
      })
      const kept = async () => {
        const text = "select table_name from duckdb_tables() where table_name like 'kept_%'"
        return (await opened?.write((writer) => writer.query({ text, values: [], label: 'test' })))?.length
      }
      const ask = async (start: string) => {
        const params = { query_type: 'waterfall', start, end: '2024-05-20', definitions: 'by_customer' }
        expect((await cached.query('mrr', params)).data).toEqual((await direct.query('mrr', params)).data)
      }
      try {
        await ask('2023-02-01')
        await ask('2023-03-01')
        await vi.waitFor(() => expect(cache.failures()).toHaveLength(1), 60_000)
        expect(String(cache.failures()[0])).toMatch(
          /a set of definitions needs about [\d.]+ MiB more, and 512\.0 KiB are free\. Raise/,
        )
        await ask('2023-04-01')
        expect(await kept()).toBe(0)
        expect(cache.failures()).toHaveLength(1)
      } finally {
        await cached.close()
        await direct.close()
      }
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)

async function filesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith('.duckdb'))
}

describe('the room of a database', () => {
  const fill = (database: CacheDatabase, table: string, rows: number) =>
    database.write((writer) =>
      writer.query({ text: `create table ${table} as select random() as number from range(${rows})`, values: [], label: 'test' }),
    )

  it('in memory counts its tables in memory and on disk', async () => {
    const database = await openDuckdb({ dialect: duckdb, memoryMb: 32, directory: tmpdir() })
    try {
      const empty = await database.room('held')
      expect(empty).toMatchObject({ place: 'memory', directory: database.directory })
      await fill(database, 'work.numbers', 1_000_000)
      const small = await database.room('work')
      expect(small.taken - empty.taken).toBeGreaterThan(7 * MEBIBYTE)
      // More than the memory.
      await fill(database, 'numbers', 8_000_000)
      const large = await database.room('held')
      expect(large.taken - empty.taken).toBeGreaterThan(60 * MEBIBYTE)
      expect(large.free).toBeGreaterThan(0)
    } finally {
      await database.close()
    }
  })

  it('in a file counts the file with its log', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'plumbline-room-'))
    const database = await openDuckdb({ dialect: duckdb, memoryMb: 64, directory, file: join(directory, 'mirror-1.duckdb') })
    try {
      await fill(database, 'few', 1_000)
      const few = await database.room('held')
      expect(few).toMatchObject({ place: 'file', directory })
      expect(few.taken).toBeGreaterThan(8 * 1_000)
      await fill(database, 'many', 1_000_000)
      expect((await database.room('held')).taken - few.taken).toBeGreaterThan(6 * MEBIBYTE)
      expect((await database.room('work')).place).toBe('memory')
    } finally {
      await database.close()
      await rm(directory, { recursive: true })
    }
  })
})

/** True if this user may mount a file system. */
function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
