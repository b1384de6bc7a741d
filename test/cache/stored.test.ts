import { chmod, copyFile, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { patienceFor } from '../../src/cache/mirror/options.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type FilledBilling, STORED_BILLINGS } from '../support/product/stored-billings.ts'
import { answersTo, type StoredProcess, storedProcesses } from '../support/product/stored-processes.ts'

const QUESTIONS = [
  ['mrr', { query_type: 'current' }],
  ['mrr', { query_type: 'breakdown', start: '2024-01-01', end: '2024-05-20' }],
  ['usage_revenue', { query_type: 'total', start: '2024-01-01', end: '2024-05-20' }],
] as const

interface Changes {
  readonly database?: TestDatabase
  readonly version?: string
  readonly code?: string
  readonly definitions?: Readonly<Record<string, unknown>>
  /** True for a process that is no service. It stores no cache. */
  readonly isCommand?: boolean
  /** False for a process that fills no cache unless it must. */
  readonly isRequired?: boolean
  /** Milliseconds without a question after which a command closes the cache. */
  readonly idleMs?: number
}

/** Reasons why no file is left for the next process. */
const GONE = ['there is none', 'its filling has not ended']

const COMMAND = { isCommand: true, isRequired: false } as const

describe.each(STORED_BILLINGS)('a cache of $type that outlives its process', (billing) => {
  firstEngineAndOneOther(
    'on a server',
    (target) => {
      let filled: FilledBilling
      let other: FilledBilling
      let directory: string
      let direct: Engine
      const processes = storedProcesses(billing)

      beforeAll(async () => {
        filled = await billing.fill(target, 7, 20)
        other = await billing.fill(target, 8, 20)
        direct = await billing.direct(filled.database, common({}))
        directory = join(await mkdtemp(join(tmpdir(), 'plumbline-stored-')), 'cache')
      })
      afterEach(async () => {
        await processes.endAll()
      })
      afterAll(async () => {
        await direct.close()
        await filled.close()
        await other.close()
        await rm(join(directory, '..'), { recursive: true })
      })

      const common = ({ definitions }: Changes) => ({ now: filled.moments[0].now, definitions })

      /** Another process, as far as files tell. */
      async function begin(changes: Changes = {}): Promise<StoredProcess> {
        const process = await processes.begin(changes.database ?? filled.database, common(changes), {
          stored: directory,
          ...(changes.version === undefined ? {} : { version: changes.version }),
          ...(changes.code === undefined ? {} : { code: changes.code }),
          ...(changes.isRequired === undefined ? {} : { isRequired: changes.isRequired }),
          patience: { ...patienceFor(30_000), ...(changes.idleMs === undefined ? {} : { idleMs: changes.idleMs }) },
        })
        if (changes.isCommand !== true) process.cache.start()
        return process
      }

      const { end } = processes
      const answersOf = (engine: Engine) => answersTo(engine, QUESTIONS)

      /** Every answer is right and comes from the cache, which has been filled this number of times. */
      async function expectRight(process: StoredProcess, fillings: number, judge = direct): Promise<void> {
        expect(await answersOf(process.engine)).toEqual(await answersOf(judge))
        expect((await process.cache.ready()).status).toBe('ready')
        expect(await answersOf(process.engine)).toEqual(await answersOf(judge))
        expect(process.cache.answered()).toBeGreaterThanOrEqual(QUESTIONS.length)
        expect(process.fillings()).toBe(fillings)
        expect(process.cache.failures()).toEqual([])
      }

      /** Leaves a filled cache behind. */
      async function leave(): Promise<string> {
        await rm(directory, { recursive: true, force: true })
        const process = await begin()
        await expectRight(process, 1)
        await end(process)
        const [name = '', ...others] = await readdir(directory)
        expect(others).toEqual([])
        return join(directory, name)
      }

      async function expectNext(fillings: number, changes: Changes = {}): Promise<void> {
        const process = await begin(changes)
        await expectRight(process, fillings)
        expect(process.notices).toEqual([])
        await end(process)
        // Nothing else is left, and the process after that finds it again.
        expect(await readdir(directory)).toHaveLength(1)
        const after = await begin(changes)
        await expectRight(after, 0)
        await end(after)
      }

      it('is found again, and follows what was committed meanwhile, early and late', async () => {
        await leave()
        await expectNext(0)
        const late = await filled.begin()
        await (await filled.begin()).commit()
        await expectNext(0)
        const before = await answersOf(direct)
        await late.commit()
        expect(await answersOf(direct)).not.toEqual(before)
        await expectNext(0)
      })

      it('may be an older copy of itself', async () => {
        const file = await leave()
        await copyFile(file, `${directory}.copy`)
        const process = await begin()
        await (await filled.begin()).commit()
        await expectRight(process, 0)
        await end(process)
        await copyFile(`${directory}.copy`, file)
        await expectNext(0)
      })

      it('follows changed prices, and is filled again for another database, other definitions, another version and other programs', async () => {
        await leave()
        const before = await answersOf(direct)
        await filled.changePrices()
        expect(await answersOf(direct)).not.toEqual(before)
        const process = await begin()
        await expectRight(process, process.fillings())
        await end(process)
        await expectNext(1, { version: 'other' })
        await expectNext(1, { version: 'other', code: 'other' })

        for (const changes of [{ database: other.database }, { definitions: { mrr_usage: 'off' } }]) {
          const judge = await billing.direct(changes.database ?? filled.database, common(changes))
          processes.alsoEnd(judge)
          const next = await begin(changes)
          await expectRight(next, 1, judge)
          await end(next)
        }
      })

      it('stays with the process that holds it: another one keeps its own in memory and says so', async () => {
        await leave()
        const holder = await begin()
        await expectRight(holder, 0)
        const second = await begin()
        await expectRight(second, 1)
        expect(second.notices).toEqual([expect.stringMatching(/^The cache is not stored: another process holds it/)])
        await end(second)
        await expectRight(holder, 0)
        await end(holder)
        await expectNext(0)
      })

      // The rest is about the file, whatever its rows.
      if (billing.type !== 'killbill') return

      it('is closed to others, and is not read if they could have written it', async () => {
        const file = await leave()
        await chmod(directory, 0o755)
        await chmod(file, 0o644)
        await expectNext(0)
        expect([(await stat(directory)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600])
        for (const [path, mode] of [
          ['.', 0o770],
          ['.', 0o702],
          [undefined, 0o660],
        ] as const) {
          const [stored = ''] = await readdir(directory)
          await chmod(join(directory, path ?? stored), mode)
          await expectNext(1)
        }
      })

      it('is filled again if its file is cut, not a database, of a later format, or empty', async () => {
        const spoil: ((file: string) => Promise<void>)[] = [
          (file) => truncate(file, 5_000),
          (file) => truncate(file, 300_000),
          (file) => writeFile(file, 'garbage'),
          (file) => writeFile(file, ''),
          async (file) => {
            const handle = await open(file, 'r+')
            await handle.write(Buffer.from([0xff]), 0, 1, 12)
            await handle.close()
          },
        ]
        for (const one of spoil) {
          await one(await leave())
          await expectNext(1)
        }
      })

      it('opens for a command, or tells it why not, and is left as it was', async () => {
        let file = await leave()
        const why = async (changes: Changes = {}) => {
          const command = await begin({ ...changes, ...COMMAND })
          const reason = await command.cache.restore()
          await end(command)
          expect(await readdir(directory).catch(() => [])).toEqual(GONE.includes(String(reason)) ? [] : [basename(file)])
          return reason
        }
        expect(await why()).toBeNull()
        const OTHER = 'another version or other definitions have made it'
        expect(await why({ version: 'other' })).toBe(OTHER)
        expect(await why({ definitions: { mrr_usage: 'off' } })).toBe(OTHER)
        const holder = await begin()
        await expectRight(holder, 0)
        expect(await why()).toMatch(/^another process holds it/)
        await end(holder)
        const update = async (text: string) => {
          const stored = await openDuckdb({ dialect: duckdb, memoryMb: 100, directory, file })
          await stored.write((writer) => writer.query({ text, values: [], label: 'test' }))
          await stored.close()
        }
        const yesterday = Date.now() - 86_500_000
        await update(`update cached_state set content = '${yesterday}' where name = 'filled_at'`)
        expect(await why()).toBe('it is more than a day old')
        await truncate(file, 5_000)
        expect(await why()).toBe('it is damaged, or another version of DuckDB wrote it')
        await rm(file)
        expect(await why()).toBe('there is none')
        file = await leave()
        await update("delete from cached_state where name = 'marks'")
        expect(await why()).toBe('its filling has not ended')
      })

      it('is closed by a command after a time without a question, and opened again for the next one', async () => {
        await leave()
        const command = await begin({ ...COMMAND, idleMs: 100 })
        expect(await command.cache.restore()).toBeNull()
        expect(await answersOf(command.engine)).toEqual(await answersOf(direct))
        expect(command.cache.answered()).toBe(QUESTIONS.length)
        await expect.poll(() => command.cache.state().status).toBe('idle')
        const service = await begin()
        await expectRight(service, 0)
        expect(service.notices).toEqual([])
        expect(await command.cache.restore()).toMatch(/^another process holds it/)
        await (await filled.begin()).commit()
        await expectRight(service, 0)
        await end(service)
        expect(await command.cache.restore()).toBeNull()
        expect(await answersOf(command.engine)).toEqual(await answersOf(direct))
        expect(command.cache.answered()).toBe(2 * QUESTIONS.length)
        expect([command.fillings(), command.cache.failures()]).toEqual([0, []])
        await end(command)
        await expectNext(0)
      })

      it('answers each question of a cross-check, also where it is closed while the database answers', async () => {
        await leave()
        const command = await begin({ ...COMMAND, idleMs: 0 })
        const found = (await command.engine.check({ cross: true })).filter(({ name }) => name === 'cache')
        expect(found).toEqual([
          { name: 'cache', level: 'ok', message: expect.stringMatching(/^\d\d+ questions have the same answers/) },
        ])
        expect([command.fillings(), command.cache.failures()]).toEqual([0, []])
        await end(command)
      })

      it('is closed by a command when it is a day old', async () => {
        await leave()
        const command = await begin(COMMAND)
        expect(await command.cache.restore()).toBeNull()
        const real = Date.now
        const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + 86_500_000)
        try {
          expect(await answersOf(command.engine)).toEqual(await answersOf(direct))
          await expect.poll(() => command.cache.state().status).toBe('idle')
          expect(await command.cache.restore()).toBe('it is more than a day old')
        } finally {
          clock.mockRestore()
        }
        await expectNext(0)
      })

      it('is left as it was by a command that must fill one', async () => {
        const file = await leave()
        for (const changes of [
          { version: 'other' },
          { definitions: { mrr_usage: 'off' } },
          { code: 'other', isRequired: true },
        ]) {
          const command = await begin({ ...COMMAND, ...changes })
          expect(await command.cache.restore()).toBe('another version or other definitions have made it')
          expect((await command.cache.ready()).status).toBe('ready')
          await command.engine.query('mrr', { query_type: 'current' })
          expect([command.cache.answered(), command.fillings(), command.cache.failures()]).toEqual([1, 1, []])
          expect(await command.cache.restore()).toBe('this process keeps its own in memory')
          await end(command)
          expect(await readdir(directory)).toEqual([basename(file)])
        }
        await expectNext(0)
      })

      it('is made by a command that must fill one if there is none or half of one, and serves the next command', async () => {
        const half = await openDuckdb({ dialect: duckdb, memoryMb: 64, directory: tmpdir(), file: await leave() })
        await half.write((held) =>
          held.query({ text: `delete from cached_state where name = 'marks'`, values: [], label: 'test' }),
        )
        await half.close()
        const command = await begin({ ...COMMAND })
        expect(await command.cache.restore()).toBe('its filling has not ended')
        expect((await command.cache.ready()).status).toBe('ready')
        expect(command.fillings()).toBe(1)
        await end(command)
        const next = await begin({ ...COMMAND })
        expect(await next.cache.restore()).toBeNull()
        expect(await answersOf(next.engine)).toEqual(await answersOf(direct))
        expect([next.fillings(), next.cache.failures()]).toEqual([0, []])
        await end(next)
      })

      it('is left as it was by a command that cannot answer from it, which opens it again later', async () => {
        await leave()
        const judge = await billing.direct(other.database, common({}))
        processes.alsoEnd(judge)
        const command = await begin({ ...COMMAND, database: other.database })
        expect(await command.cache.restore()).toBeNull()
        expect(await answersOf(command.engine)).toEqual(await answersOf(judge))
        expect(command.cache.answered()).toBe(0)
        expect(await command.cache.restore()).toBe('this process had to stop using it a short time ago')
        await end(command)
        await expectNext(0)
      })

      it('does not take a log that belongs to another file', async () => {
        const file = await leave()
        await writeFile(`${file}.wal`, 'garbage')
        const process = await begin()
        await expectRight(process, process.fillings())
        await end(process)
        const other = await leave()
        const log = (await readFile(other)).subarray(0, 4_000)
        await rm(other)
        await writeFile(`${other}.wal`, log)
        await expectNext(1)
      })
    },
    { only: billing.only },
  )
})
