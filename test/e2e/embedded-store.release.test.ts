import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { FxRate } from '../../src/core/currency.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { childCommand } from '../support/product/child-program.ts'
import { dayOf } from './embedded-store-rates.ts'

const CHILD = new URL('embedded-store-child.ts', import.meta.url).pathname
const RATE: FxRate = { date: '2024-01-01', from: 'ZZZ', to: 'USD', rate: '1.1' }

interface Child {
  readonly process: ChildProcessByStdio<null, Readable, null>
  /** The next line that the child says; null at its end. */
  line(): Promise<string | null>
  /** All that it says until its end. */
  rest(): Promise<readonly string[]>
}

let program: readonly string[]
let base: string
let url: string
const children: Child[] = []
const stores: Store[] = []

beforeAll(async () => {
  program = await childCommand(CHILD)
})

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'plumbline-embedded-'))
  url = `sqlite:${join(base, 'data', 'store.db')}`
})

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  await Promise.all(stores.splice(0).map((store) => store.close()))
  rmSync(base, { recursive: true, force: true })
})

function storeHere(): Store {
  const store = createStore({ url, schema: 'plumbline', baseDirectory: '/' })
  stores.push(store)
  return store
}

/** Starts the program, by itself or in what `around` puts it. */
function start(args: readonly string[], around: readonly string[] = []): Child {
  const [command = '', ...others] = [...around, process.execPath, ...program, ...args]
  const child = spawn(command, others, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => (await lines.next()).value ?? null
  const rest = async () => {
    const said: string[] = []
    for (let next = await line(); next !== null; next = await line()) said.push(next)
    return said
  }
  const started = { process: child, line, rest }
  children.push(started)
  return started
}

/** The command that makes a process believe that it is alone on a machine of this name. */
function container(host: string): readonly string[] {
  const named = ['sh', '-c', 'hostname "$0" && exec "$@"', host]
  return ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--uts', ...named]
}

async function kill({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

describe('the embedded store', () => {
  it('takes writes of several processes that make it at the same moment, and loses none', async () => {
    const writers = ['AAA', 'BBB', 'CCC'].map((from) => start(['write', url, from, '40']))
    const days = Array.from({ length: 40 }, (_, day) => String(day))
    expect(await Promise.all(writers.map((writer) => writer.rest()))).toEqual([days, days, days])
    expect(await storeHere().fxRates.list()).toHaveLength(120)
  })

  it.runIf(inject('hasNamespaces'))('loses nothing between containers that share it under one host name', async () => {
    const writers = ['AAA', 'BBB'].map((from) => start(['write', url, from, '80'], container('plumbline')))
    const days = Array.from({ length: 80 }, (_, day) => String(day))
    expect(await Promise.all(writers.map((writer) => writer.rest()))).toEqual([days, days])
    const counts = await start(['count', url], container('plumbline')).line()
    expect(JSON.parse(counts ?? '')).toEqual({ AAA: 80, BBB: 80 })
  })

  it('has what was acknowledged after kill -9 at any moment, imports whole or not at all, and opens under another host name', async () => {
    const rows = 3_000
    const acknowledged: string[] = []
    for (let round = 1; round <= 3; round++) {
      const importer = start(['import', url, String(rows)])
      acknowledged.push((await importer.line()) ?? '')
      await sleep(Math.random() * 400)
      await kill(importer)
      acknowledged.push(...(await importer.rest()))

      const around = inject('hasNamespaces') ? container(`host-${round}`) : []
      const counter = start(['count', url], around)
      const counts = JSON.parse((await counter.line()) ?? '')
      // The process that closes last holds the file for a moment more.
      await counter.rest()
      expect(Object.keys(counts)).toEqual(expect.arrayContaining(acknowledged))
      expect(new Set(Object.values(counts))).toEqual(new Set([rows]))
    }
    const database = new Database(url.slice('sqlite:'.length))
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    database.close()
  })

  it('lets others read and write while a service has it open', async () => {
    const service = storeHere()
    await service.fxRates.upsert([RATE])
    expect(await start(['count', url]).rest()).toEqual(['{"ZZZ":1}'])
    expect(await start(['write', url, 'AAA', '3']).rest()).toEqual(['0', '1', '2'])
    expect(await service.fxRates.list()).toHaveLength(4)
  })

  it('is read while an import is under way; other writes wait, and are refused when it takes too long', async () => {
    const service = storeHere()
    await service.fxRates.upsert([RATE])
    const gate = new AbortController()
    const started = new AbortController()
    async function* slow(): AsyncGenerator<FxRate> {
      for (let day = 0; day < 1_000; day++) yield { date: dayOf(day), from: 'AAA', to: 'USD', rate: '1' }
      started.abort()
      await once(gate.signal, 'abort')
      yield { ...RATE, from: 'BBB' }
    }
    const importing = service.fxRates.upsert(slow())
    await once(started.signal, 'abort')
    expect(await service.fxRates.list()).toEqual([RATE])
    const [reader, writer] = [start(['count', url]), start(['write', url, 'CCC', '1'])]
    const inTurn = Array.from({ length: 2 }, () => service.fxRates.upsert([{ ...RATE, from: 'DDD' }]))
    const refused = await Promise.allSettled(inTurn)
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ status: 'rejected' })))
    await expect(inTurn[0]).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringContaining('is busy'),
    })
    expect(await reader.rest()).toEqual(['{"ZZZ":1}'])
    expect(await writer.rest()).toEqual([expect.stringMatching(/^connector_unavailable The store .* is busy/)])

    const waiting = service.fxRates.upsert([{ ...RATE, from: 'EEE' }])
    gate.abort()
    expect(await Promise.all([importing, waiting])).toEqual([1_001, 1])
    const counts = JSON.parse((await start(['count', url]).line()) ?? '')
    expect(counts).toEqual({ AAA: 1_000, BBB: 1, EEE: 1, ZZZ: 1 })
  })

  it('says what is wrong with a file of another program', async () => {
    url = `sqlite:${join(base, 'precious')}`
    writeFileSync(join(base, 'precious'), 'a letter, '.repeat(500))
    await expect(storeHere().open()).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: `The store ${join(base, 'precious')} cannot be opened: file is not a database.`,
    })
  })
})
