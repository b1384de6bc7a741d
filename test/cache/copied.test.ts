import { lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { type FilledBilling, STORED_BILLINGS } from '../support/product/stored-billings.ts'
import { answersTo, type StoredProcess, storedProcesses } from '../support/product/stored-processes.ts'

const QUESTIONS = [
  ['mrr', { query_type: 'current' }],
  ['mrr', { query_type: 'breakdown', start: '2024-01-01', end: '2024-05-20' }],
] as const

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'plumbline-copied-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe.each(STORED_BILLINGS)('a copy of a cache of $type', (billing) => {
  oneEngineInRotation(
    'on a server',
    (target) => {
      let filled: FilledBilling
      let direct: Engine
      const processes = storedProcesses(billing)

      beforeAll(async () => {
        filled = await billing.fill(target, 7, 20)
        direct = await billing.direct(filled.database, {
          now: filled.moments[0].now,
        })
      })
      afterEach(async () => {
        await processes.endAll()
      })
      afterAll(async () => {
        await direct.close()
        await filled.close()
      })

      const own = () => join(root, 'own', 'abcd')
      const place = () => join(root, 'copy')

      /** Another process, as far as files tell. */
      async function begin(stored: string, { isCommand = false } = {}): Promise<StoredProcess> {
        const cacheOptions = { stored, isRequired: !isCommand }
        const process = await processes.begin(filled.database, { now: filled.moments[0].now }, cacheOptions)
        if (isCommand) return process
        process.cache.start()
        await process.cache.ready()
        return process
      }

      const { end } = processes
      const answersOf = (engine: Engine) => answersTo(engine, QUESTIONS)

      /** A service takes the copy over, without a filling, and its answers are those of the database. */
      async function expectTaken(directory: string): Promise<void> {
        const taken = await begin(directory)
        expect(await answersOf(taken.engine)).toEqual(await answersOf(direct))
        expect(taken.cache.answered()).toBe(QUESTIONS.length)
        expect(taken.fillings()).toBe(0)
        expect(taken.cache.failures()).toEqual([])
        await end(taken)
      }

      it('is made while changes arrive, and another service takes it over without a filling', async () => {
        const process = await begin(own())
        let isOver = false
        const changes = (async () => {
          for (let round = 0; round < 40 && !isOver; round += 1) {
            await (await filled.begin()).commit()
            await answersOf(process.engine)
          }
        })()
        const { accounts, ...copied } = await process.engine.copyCache(place())
        isOver = true
        await changes
        expect(copied).toEqual({
          directory: join(place(), basename(own())),
          bytes: expect.any(Number),
        })
        expect(accounts).toBeGreaterThan(1)
        // The first process goes on, also after the other one has taken its copy.
        await expectTaken(copied.directory)
        expect(await answersOf(process.engine)).toEqual(await answersOf(direct))
        expect(process.cache.failures()).toEqual([])
        await end(process)
      })

      it('is made of the file on disk if no service runs, and is right without what has been committed since', async () => {
        await end(await begin(own()))
        await (await filled.begin()).commit()
        const command = await begin(own(), { isCommand: true })
        const { directory } = await command.engine.copyCache(place())
        await end(command)
        expect(command.fillings()).toBe(0)
        await expectTaken(directory)
        // The first file is as it was.
        await expectTaken(own())
      })

      // The rest is about files, whatever their rows.
      if (billing.type !== 'killbill') return

      const refusal = (engine: Engine, directory: string, signal?: AbortSignal) =>
        engine.copyCache(directory, signal && { signal }).then(
          () => 'copied',
          (error: Error & { readonly code?: string }) => `${error.code}: ${error.message}`,
        )

      it('is closed to others, as its directory is', async () => {
        const process = await begin(own())
        const { directory, bytes } = await process.engine.copyCache(place())
        const [file = '', ...others] = await readdir(directory)
        expect([file, others]).toEqual([expect.stringMatching(/^mirror-\d+\.duckdb$/), []])
        const modes = await Promise.all(
          [place(), directory, join(directory, file)].map(async (path) => (await lstat(path)).mode & 0o777),
        )
        expect(modes).toEqual([0o700, 0o700, 0o600])
        expect((await lstat(join(directory, file))).size).toBe(bytes)
        await end(process)
      })

      it('is refused where it would do harm or cannot be written', async () => {
        const process = await begin(own())
        await mkdir(join(root, 'full'))
        await writeFile(join(root, 'full', 'a'), '')
        await writeFile(join(root, 'file'), '')
        await symlink(own(), join(root, 'link'))
        const cases: readonly (readonly [string, RegExp])[] = [
          [own(), /is inside the directory of the cache/],
          [join(own(), 'copy'), /is inside the directory of the cache/],
          [join(root, 'link', 'copy'), /is inside the directory of the cache/],
          [join(root, 'full'), /is not empty/],
          [join(root, 'file'), /is no directory/],
          [join(root, 'none', 'copy'), /none cannot be used \(ENOENT\)/],
          ['/proc/plumbline', /cannot be used \(\w+\)/],
          ['copy', /is no absolute path/],
        ]
        for (const [directory, why] of cases) {
          const text = await refusal(process.engine, directory)
          expect(text).toMatch(/^invalid_value: The cache cannot be copied: /)
          expect(text).toMatch(why)
        }
        expect((await readdir(root)).sort()).toEqual(['file', 'full', 'link', 'own'])
        expect(await refusal(process.engine, place())).toBe('copied')
        expect(await refusal(process.engine, place())).toMatch(/is not empty/)
        await end(process)
      })

      it('is one at a time, and leaves nothing if nobody waits for it', async () => {
        const process = await begin(own())
        await mkdir(place())
        const leaving = new AbortController()
        const first = refusal(process.engine, place(), leaving.signal)
        expect(await refusal(process.engine, join(root, 'second'))).toBe(
          'conflict: The cache cannot be copied: another copy is being written.',
        )
        leaving.abort(new Error('interrupted'))
        expect(await first).toBe('undefined: interrupted')
        expect([await readdir(place()), (await readdir(root)).sort()]).toEqual([[], ['copy', 'own']])
        expect(await refusal(process.engine, place())).toBe('copied')
        await end(process)
      })

      it('is refused as long as there is nothing to copy, and while another process holds the file', async () => {
        const command = await begin(own(), { isCommand: true })
        expect(await refusal(command.engine, place())).toBe('conflict: The cache cannot be copied: there is none.')
        await end(command)
        const holder = await begin(own())
        const beside = await begin(own(), { isCommand: true })
        expect(await refusal(beside.engine, place())).toMatch(/^conflict: The cache cannot be copied: another process holds it/)
        expect(await readdir(root)).toEqual(['own'])
        await end(beside)
        await end(holder)
        const half = join(own(), (await readdir(own()))[0] ?? '')
        await rm(half)
        await (
          await openDuckdb({
            dialect: duckdb,
            memoryMb: 64,
            directory: root,
            file: half,
          })
        ).close()
        const after = await begin(own(), { isCommand: true })
        expect(await refusal(after.engine, place())).toMatch(/^conflict: The cache cannot be copied: it is damaged/)
        await end(after)
      })
    },
    { only: billing.only },
  )
})

describe('a copy of a large database', () => {
  let database: CacheDatabase
  const query = (text: string) => database.write((writer) => writer.query({ text, values: [], label: 'test' }))

  beforeEach(async () => {
    database = await openDuckdb({
      dialect: duckdb,
      memoryMb: 256,
      directory: root,
      file: join(root, 'own.duckdb'),
    })
    await query('create table numbers as select i, hash(i) as h from range(4000000) as r (i)')
    await query('create table ends as select max(i) as last from numbers')
  })
  afterEach(() => database.close())

  const left = async () => (await readdir(database.directory)).filter((name) => name.startsWith('copy'))

  it('has the rows of one moment', async () => {
    const copied = database.copy()
    for (let round = 1; round <= 20; round += 1)
      await database.write((writer) =>
        writer.transaction(async () => {
          await writer.query({
            text: `insert into numbers values (${4_000_000 + round}, 0)`,
            values: [],
            label: 'test',
          })
          await writer.query({
            text: `update ends set last = ${4_000_000 + round}`,
            values: [],
            label: 'test',
          })
        }),
      )
    const other = await openDuckdb({
      dialect: duckdb,
      memoryMb: 64,
      directory: root,
      file: await copied,
    })
    const text = 'select (select max(i) from numbers) - (select last from ends) as apart, (select count(*) from numbers) as rows'
    const [row] = await other.write((writer) => writer.query({ text, values: [], label: 'test' }))
    expect(Number(row?.['apart'])).toBeLessThanOrEqual(1)
    expect(Number(row?.['rows'])).toBeGreaterThanOrEqual(4_000_000)
    await other.close()
  })

  it('is whole in its file before it is moved, although a reader keeps it open', async () => {
    const isAttached = async () =>
      Number((await query("select count(*) as n from duckdb_databases() where database_name like 'copy%'"))[0]?.['n']) > 0
    let isDone = false
    const copied = database.copy().finally(() => {
      isDone = true
    })
    await expect.poll(isAttached, { interval: 1 }).toBe(true)
    let release: () => void = () => {}
    // A snapshot looks at all databases, also at the copy.
    const reading = database.reader.withSnapshot(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    try {
      await expect.poll(isAttached, { timeout: 60_000 }).toBe(false)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect([isDone, (await left()).length]).toEqual([false, 2])
    } finally {
      release()
      await reading
    }
    await copied
    expect(await left()).toHaveLength(1)
  })

  it('ends at once, and leaves no file, if it is cancelled or the database is closed', async () => {
    const leaving = new AbortController()
    const cancelled = database.copy(leaving.signal)
    setTimeout(() => leaving.abort(new Error('interrupted')), 30)
    await expect(cancelled).rejects.toThrow('interrupted')
    expect(await left()).toEqual([])
    // The database goes on, and nothing stays attached.
    const [row] = await query('select count(*) as attached from duckdb_databases() where not internal')
    expect(Number(row?.['attached'])).toBe(2)
    const closed = database.copy()
    const outcome = expect(closed).rejects.toThrow('it was closed or replaced meanwhile')
    await database.close()
    await outcome
    await expect(database.copy()).rejects.toThrow('it was closed or replaced meanwhile')
  })
})
