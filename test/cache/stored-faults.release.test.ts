import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { KeeperAnswer, KeeperRequest } from '../soak/mirror-keeper.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { type Held, heldDifferences, soakedCache } from '../support/product/held-rows.ts'
import { TSX } from '../support/product/product-command.ts'
import type { CacheOptions } from '../support/product/recorded-engine.ts'
import { type FilledBilling, STORED_BILLINGS } from '../support/product/stored-billings.ts'

const KEEPER = fileURLToPath(new URL('../soak/mirror-keeper.ts', import.meta.url))
const FAULTS = fileURLToPath(new URL('file-faults.c', import.meta.url))
const ACCOUNTS = 24
const KINDS = ['kill', 'half', 'full'] as const
type Kind = (typeof KINDS)[number]
/** One call in this number goes wrong. The turn says which. With `FAULT_STEP=1`, each call goes wrong in each way. */
const STEP = 21
// biome-ignore lint/style/noProcessEnv: the run's own switch, no product configuration
const step = Number(process.env['FAULT_STEP'] ?? STEP)

const compiler = compilerProgram()

describe.skipIf(compiler === undefined).each(STORED_BILLINGS)('the stored cache of a process over $type', (billing) => {
  oneEngineInRotation(
    'on a server',
    (target) => {
      let place: string
      let library: string
      let filled: FilledBilling
      let wanted: Held
      const cacheOf = (name: string, stored: string | null, options: Partial<CacheOptions> = {}) =>
        soakedCache(filled.database.executor({ poolSize: 2 }), name, stored, undefined, options, billing.soaked)

      beforeAll(async () => {
        place = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-faults-')))
        library = join(place, 'faults.so')
        execFileSync(compiler ?? '', ['-shared', '-fPIC', '-o', library, FAULTS, '-ldl'])
        filled = await billing.fill(target, 7, ACCOUNTS)
        const undisturbed = cacheOf('undisturbed', null)
        wanted = await undisturbed.held(filled.moments[1]).finally(() => undisturbed.cache.close())
      })
      afterAll(async () => {
        await filled.close()
        await rm(place, { recursive: true })
      })

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
        const child = fork(KEEPER, [filled.database.url, stored, 'faulty', billing.type], {
          execArgv: ['--import', TSX],
          serialization: 'advanced',
          // biome-ignore lint/style/noProcessEnv: the child gets the environment of this process, with the fault
          env: { ...process.env, TMPDIR: spill, LD_PRELOAD: library, FAULT_UNDER: under, FAULT_KIND: kind, ...fault },
        })
        const ended = once(child, 'exit')
        const answers: KeeperAnswer[] = []
        // A filling, and a refresh after some days. Then the process ends, which writes the file as a whole.
        for (const moment of [undefined, ...filled.moments]) {
          const answer = await answerOf(child, ended, moment && { moment })
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
        const after = cacheOf('after', stored, { onNotice: (text) => notices.push(text) })
        const held = await after.held(filled.moments[1]).finally(() => after.cache.close())
        expectRight(held, where)
        expect([notices, after.failures()], where).toEqual([[], []])
        return held.filled_at
      }
    },
    { only: billing.only },
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
