import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { KeeperAnswer, KeeperRequest } from '../soak/mirror-keeper.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { type Held, heldDifferences, type Moment, soakedCache } from '../support/product/held-rows.ts'
import { TSX } from '../support/product/product-command.ts'

const KEEPER = fileURLToPath(new URL('../soak/mirror-keeper.ts', import.meta.url))
const FAULTS = fileURLToPath(new URL('file-faults.c', import.meta.url))
const ACCOUNTS = 24
/** A filling, and a refresh after some days. Then the process ends, which writes the file as a whole. */
const FIRST: Moment = { now: '2024-05-20 12:00:00', seconds: 0 }
const LATER: Moment = { now: '2024-06-11 12:00:00', seconds: 60 }
const KINDS = ['kill', 'half', 'full'] as const
type Kind = (typeof KINDS)[number]
/** One call in this number goes wrong. The turn says which. With `FAULT_STEP=1`, each call goes wrong in each way. */
const STEP = 21
// biome-ignore lint/style/noProcessEnv: the run's own switch, no product configuration
const step = Number(process.env['FAULT_STEP'] ?? STEP)

const compiler = compilerProgram()

describe.skipIf(compiler === undefined)('the stored cache of a process', () => {
  oneEngineInRotation(
    'over a database',
    (target) => {
      let place: string
      let library: string
      let database: TestDatabase
      let wanted: Held

      beforeAll(async () => {
        place = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-faults-')))
        library = join(place, 'faults.so')
        execFileSync(compiler ?? '', ['-shared', '-fPIC', '-o', library, FAULTS, '-ldl'])
        database = (await fillDatabase(target, generatedHistory(7, ACCOUNTS))).database
        const undisturbed = soakedCache(database.executor({ poolSize: 2 }), 'undisturbed', null)
        wanted = await undisturbed.held(LATER).finally(() => undisturbed.cache.close())
      })
      afterAll(() => rm(place, { recursive: true }))

      const expectRight = (held: Held | undefined, where: string) =>
        expect(heldDifferences(['found', held?.tables ?? {}], ['wanted', wanted.tables]), where).toBeUndefined()

      /** With a full disk, a process answers right, or leaves the answer to the database and says why. */
      function expectAnswered(outcome: KeeperAnswer | 'killed', where: string): void {
        const { held, error = '' }: KeeperAnswer = outcome === 'killed' ? { error: outcome } : outcome
        if (held !== undefined) expectRight(held, where)
        else expect(error, where).toMatch(/the cache does not answer.*The disk of the cache is full/)
      }

      /** A process that fills, refreshes and closes a stored cache, and the fault that it meets there or on the whole disk. */
      async function run(
        directory: string,
        kind: Kind,
        fault: Readonly<Record<string, string>>,
      ): Promise<KeeperAnswer | 'killed'> {
        const [stored, spill] = [join(directory, 'stored'), join(directory, 'spill')]
        await mkdir(spill, { recursive: true })
        const under = kind === 'full' ? `${stored}:${join(spill, 'plumbline-')}` : stored
        const child = fork(KEEPER, [database.url, stored, 'faulty'], {
          execArgv: ['--import', TSX],
          serialization: 'advanced',
          // biome-ignore lint/style/noProcessEnv: the child gets the environment of this process, with the fault
          env: { ...process.env, TMPDIR: spill, LD_PRELOAD: library, FAULT_UNDER: under, FAULT_KIND: kind, ...fault },
        })
        const ended = once(child, 'exit')
        const answers: KeeperAnswer[] = []
        for (const request of [undefined, { moment: FIRST }, { moment: LATER }] as const) {
          const answer = await answerOf(child, ended, request)
          if (answer === undefined) break
          answers.push(answer)
        }
        if (child.connected) child.send({} satisfies KeeperRequest)
        const [code, signal] = await ended
        if (signal === 'SIGKILL') return 'killed'
        expect(code).toBe(0)
        return answers.at(-1) ?? {}
      }

      it.each(KINDS)(
        '%s: after a fault at any call, it is right or filled again',
        async (kind: Kind) => {
          const log = join(place, `${kind}.log`)
          const answer = await run(join(place, `${kind}-whole`), kind, { FAULT_LOG: log })
          expectRight(answer === 'killed' ? undefined : answer.held, 'without a fault')
          const calls = (await readFile(log, 'utf8')).trimEnd().split('\n')
          expect(calls.length).toBeGreaterThan(30)
          for (let at = 1 + (inject('turn') % step); at <= calls.length; at += step) {
            const where = `${kind} at call ${at} of ${calls.length}, ${calls[at - 1]}`
            const directory = join(place, `${kind}-${at}`)
            const outcome = await run(directory, kind, { FAULT_AT: String(at) })
            if (kind === 'full') expectAnswered(outcome, where)
            else if (outcome !== 'killed') expectRight(outcome.held, where)
            const stored = join(directory, 'stored')
            // The next process, and the one after it, which finds what that one has left.
            const next = await heldBy(stored, where)
            expect(await heldBy(stored, where)).toBe(next)
            expect(await readdir(stored), where).toHaveLength(1)
            await rm(directory, { recursive: true })
          }
        },
        3_600_000,
      )

      /** The instant of the filling that a next process answers from. */
      async function heldBy(stored: string, where: string): Promise<string> {
        const notices: string[] = []
        const after = soakedCache(database.executor({ poolSize: 2 }), 'after', stored, undefined, {
          onNotice: (text) => notices.push(text),
        })
        const held = await after.held(LATER).finally(() => after.cache.close())
        expectRight(held, where)
        expect([notices, after.failures()], where).toEqual([[], []])
        return held.filled_at
      }
    },
    { only: ['postgres', 'mariadb', 'mysql'] },
  )
})

async function answerOf(
  child: ChildProcess,
  ended: Promise<unknown>,
  request: KeeperRequest | undefined,
): Promise<KeeperAnswer | undefined> {
  const answered = new AbortController()
  const message = once(child, 'message', { signal: answered.signal }).then(([answer]) => answer as KeeperAnswer)
  if (request !== undefined) child.send(request)
  const first = await Promise.race([message, ended.then(() => undefined)])
  answered.abort()
  await message.catch(() => {})
  return first
}

/** A compiler of C. Undefined if this machine has none, or does not preload libraries. */
function compilerProgram(): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' })
    return 'cc'
  } catch {
    return undefined
  }
}
