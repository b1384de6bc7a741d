import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStore } from '../../src/store/create-store.ts'
import { lockPath } from '../../src/store/embedded-lock.ts'
import { thisHolder } from '../../src/store/lock-holder.ts'

const CHILD = new URL('store-lock-child.ts', import.meta.url).pathname

interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, null>
  /** The next line that the child says; null at its end. */
  line(): Promise<string | null>
}

let base: string
let directory: string
const children: Child[] = []

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'plumbline-lock-'))
  directory = join(base, 'data')
})

afterEach(async () => {
  await Promise.all(children.splice(0).map(stop))
  rmSync(base, { recursive: true, force: true })
})

function start(...args: string[]): Child {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const started = { process: child, line: async () => (await lines.next()).value ?? null }
  children.push(started)
  return started
}

async function stop({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

function storeHere() {
  return createStore({ url: `pglite:${directory}`, schema: 'plumbline', baseDirectory: base })
}

const HELD_RATE = { date: '2024-01-01', from: 'EUR', to: 'USD', rate: '1.1' }

describe('the embedded store', () => {
  it('refuses a second process, naming directory, process and remedy, and lets it in when the holder was killed', async () => {
    const holder = start('hold', directory)
    expect(await holder.line()).toBe('open')
    const store = storeHere()
    const error: unknown = await store.open().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'connector_unavailable' })
    expect(String(error)).toContain(`${directory} is in use by process ${holder.process.pid}`)
    expect(String(error)).toContain('set store.url to a PostgreSQL or MySQL server')

    await stop(holder)
    expect(existsSync(lockPath(directory))).toBe(true)
    expect(await store.fxRates.list()).toEqual([HELD_RATE])
    await store.close()
    expect(readdirSync(base)).toEqual(['data'])
  })

  it('waits for a holder that is about to finish', async () => {
    const store = storeHere()
    await store.open()
    const waiting = start('hold', directory)
    const said = waiting.line()
    // Long enough for the child to be up and waiting; if it were not, it would just find the store free.
    await sleep(2_000)
    await store.close()
    expect(await said).toBe('open')
    waiting.process.stdin.end()
    expect(await waiting.line()).toBe('closed')
    expect(existsSync(lockPath(directory))).toBe(false)
  })

  it('lets exactly one of several take over the lock of a dead process, or a free one', async () => {
    const rounds = 60
    const racers = Array.from({ length: 4 }, () => start('race', directory, String(rounds)))
    expect(await Promise.all(racers.map((racer) => racer.line()))).toEqual(racers.map(() => 'ready'))
    const dead = { ...thisHolder(), pid: await deadPid() }
    for (let round = 1; round <= rounds; round++) {
      if (round % 4 !== 0) leaveBehind(dead, round)
      writeFileSync(`${directory}.go-${round}`, '')
      const outcomes = await Promise.all(racers.map((racer) => racer.line()))
      expect(outcomes.sort()).toEqual([`${round} lost`, `${round} lost`, `${round} lost`, `${round} won`])
      const winner = racers.map((racer) => racer.process.pid)
      expect(winner).toContain(JSON.parse(readFileSync(lockPath(directory), 'utf8')).pid)
      writeFileSync(`${directory}.end-${round}`, '')
      while (existsSync(lockPath(directory))) await sleep(1)
    }
  })

  it('never has two holders while processes come, go and die holding it', async () => {
    const log = join(base, 'log')
    const runners = Array.from({ length: 5 }, (_, index) => start('relay', directory, String(15 + 5 * index), log))
    await Promise.all(runners.map((runner) => once(runner.process, 'exit')))
    expect(runners.map((runner) => runner.process.signalCode)).toEqual(runners.map(() => 'SIGKILL'))
    const events = readFileSync(log, 'utf8').trim().split('\n')
    expect(events).toHaveLength(2 * (15 + 20 + 25 + 30 + 35))
    for (let index = 0; index < events.length; index += 2) {
      expect(events[index + 1]).toBe(events[index]?.replace('in', 'out'))
    }
    expect(readdirSync(base).sort()).toEqual([basename(lockPath(directory)), 'log'])
  })
})

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

// Every third time with a claimant that died as well.
function leaveBehind(dead: ReturnType<typeof thisHolder>, round: number): void {
  const gone = { ...dead, nonce: thisHolder().nonce }
  writeFileSync(lockPath(directory), JSON.stringify(gone))
  if (round % 3 === 0)
    writeFileSync(`${lockPath(directory)}.${gone.nonce}`, JSON.stringify({ ...dead, nonce: thisHolder().nonce }))
}
