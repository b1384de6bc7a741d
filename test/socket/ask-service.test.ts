import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Answer, AskOptions, Engine, Origin } from '../../src/engine/engine.ts'
import { askingService } from '../../src/facades/socket/ask.ts'
import { type ListeningSocket, type ListenOptions, listenForCommands } from '../../src/facades/socket/listen.ts'

const IDENTITY = { version: '1', database: 'a', definitions: 'b' }

let root: string
let directory: string
let failures: unknown[]
let listening: ListeningSocket[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pl-socket-'))
  directory = join(root, 'cache')
  failures = []
  listening = []
})
afterEach(async () => {
  for (const each of listening) await each.close()
  await rm(root, { recursive: true })
})

function answerOf(data: unknown, kind: Answer['kind'] = 'rows'): Answer {
  const meta = {
    data_through: '2026-01-01T00:00:00.000Z',
    definitions: '0123456789ab',
    warnings: [{ code: 'replica_lagging' as const, message: 'ü "quoted"\n' }],
    base_currency: 'EUR',
    fields: [],
    amounts: { unit: 'cents' as const, currency: 'EUR' },
    days: undefined,
  }
  return { data, kind, columns: ['a', 'b'], total: 2, meta }
}

type Query = (options: AskOptions) => Promise<Answer>

/** An engine whose query answers in this way, with its number of questions. */
function engineOf(query: Query) {
  const asked = { count: 0 }
  const calls = async (options: AskOptions = {}) => {
    asked.count += 1
    return query(options)
  }
  const engine = { query: (_metric, _params, _spec, options) => calls(options) } as Partial<Engine> as Engine
  return { engine, asked }
}

async function listen(query: Query, options: Partial<ListenOptions> = {}): Promise<ListeningSocket> {
  const { engine } = engineOf(query)
  const onFailure = (error: unknown) => void failures.push(error)
  const found = await listenForCommands({
    engine,
    directory,
    identity: IDENTITY,
    unready: () => undefined,
    onFailure,
    ...options,
  })
  if (typeof found === 'string') throw new Error(found)
  listening.push(found)
  return found
}

/** Asks as a command does, whose engine answers "own". */
async function ask({
  signal,
  identity = IDENTITY,
  silenceMs,
}: {
  readonly signal?: AbortSignal
  readonly identity?: Readonly<Record<string, string>>
  readonly silenceMs?: number
} = {}) {
  const { engine, asked } = engineOf(async ({ onOrigin }) => {
    onOrigin?.({ source: 'replica' })
    return answerOf(['own'])
  })
  const through = askingService(engine, {
    place: { directory },
    identity: () => identity,
    ...(silenceMs === undefined ? {} : { silenceMs }),
  })
  const origins: Origin[] = []
  const options: AskOptions = { onOrigin: (origin) => origins.push(origin), ...(signal && { signal }) }
  const answer = await through.query('mrr', {}, {}, options)
  return { data: answer.data, answer, origin: origins[0], own: asked.count }
}

const ANSWERED: Query = async ({ onOrigin }) => {
  onOrigin?.({ source: 'cache' })
  return answerOf([
    { a: 1.5, b: null },
    { a: 'ä\u2028\n', b: { c: [true] } },
  ])
}

describe('a command that asks a service', () => {
  it('gets its answer with every part, and where it was read', async () => {
    await listen(ANSWERED)
    const { answer, origin, own } = await ask()
    expect(answer).toEqual(await ANSWERED({}))
    expect(origin).toEqual({ source: 'cache', service: { pid: process.pid, since: expect.stringMatching(/Z$/) } })
    expect(own).toBe(0)
  })

  it.each([
    ['a page of 20,000 rows', answerOf({ total: 20_000, limit: 20_000, offset: 0, rows: rowsOf(20_000) }, 'page')],
    ['a number', answerOf(12, 'scalar')],
    ['nothing', answerOf(null, 'object')],
  ])('gets %s', async (_what, given) => {
    await listen(async () => given)
    expect((await ask()).answer).toEqual(given)
  })

  it('gets a refusal with every part', async () => {
    const refusal = new AppError('unknown_filter', 'No.', {
      context: { available_filters: ['a'] },
      issues: [{ code: 'unknown_filter', where: 'spec.filters', value: 1, message: 'No.', did_you_mean: ['b'] }],
      operatorDetail: 'No, at db.example.com.',
    })
    await listen(async () => {
      throw refusal
    })
    const error = await ask().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    const { code, message, context, issues, operatorDetail } = refusal
    expect(error).toMatchObject({ code, message, context, issues, operatorDetail })
    expect(failures).toEqual([])
  })
})

describe('a command answers itself', () => {
  const alone = async (reason: RegExp | string, options: Parameters<typeof ask>[0] = {}) =>
    expect(await ask(options)).toMatchObject({
      data: ['own'],
      own: 1,
      origin: { source: 'replica', alone: expect.stringMatching(reason) },
    })

  it('without a service', () => alone('no service has a cache'))

  it('from the cache on disk, which it opens only if it reads the cache', async () => {
    let opened = 0
    const restore = async () => {
      opened += 1
      return 'it is too old'
    }
    const { engine } = engineOf(async ({ openCache, onOrigin, signal }) => {
      if (signal === undefined) await openCache?.()
      onOrigin?.({ source: 'replica' })
      return answerOf([])
    })
    const through = askingService(engine, { place: { directory }, identity: () => IDENTITY, restore })
    const origins: Origin[] = []
    const onOrigin = (origin: Origin) => origins.push(origin)
    await through.query('mrr', {}, {}, { onOrigin, signal: new AbortController().signal })
    expect([opened, origins[0]]).toEqual([0, { source: 'replica', isStored: false, alone: expect.any(String) }])
    await through.query('mrr', {}, {}, { onOrigin })
    expect([opened, origins[1]]).toEqual([1, { ...origins[0], unstored: 'it is too old' }])
  })

  it('if the service differs in anything that an answer depends on', async () => {
    await listen(ANSWERED)
    await alone('another version$', { identity: { ...IDENTITY, version: '2' } })
    await alone('another database, definitions$', { identity: { version: '1', database: 'x', definitions: 'y' } })
    await alone('another store$', { identity: { ...IDENTITY, store: 'z' } })
  })

  it('if the cache of the service is not ready', async () => {
    await listen(ANSWERED, { unready: () => 'the service fills its cache (43 %)' })
    await alone(/43 %/)
  })

  it('if the service is overloaded, cannot reach its database, or fails', async () => {
    let error: unknown = new AppError('overloaded', 'Busy.')
    await listen(async () => {
      throw error
    })
    await alone('could not answer \\(overloaded\\)')
    error = new AppError('connector_unavailable', 'Gone.')
    await alone('could not answer \\(connector_unavailable\\)')
    error = new TypeError('a fault')
    await alone('the service failed')
    expect(failures).toEqual([error])
  })

  it('if the service ends half-way, or falls silent', async () => {
    const service = await listen(() => new Promise(() => {}))
    const asking = ask()
    await expect.poll(() => readdir(directory)).toContain('service.socket')
    setTimeout(() => void service.close(), 200)
    expect(await asking).toMatchObject({ data: ['own'], origin: { alone: 'the service ended half-way' } })
    await listen(() => new Promise(() => {}))
    await alone('the service ended half-way', { silenceMs: 100 })
  })

  it('if others could have made the directory, the file or the socket', async () => {
    await listen(ANSWERED)
    for (const path of [directory, join(directory, 'service.address'), join(directory, 'service.socket')]) {
      await chmod(path, 0o777)
      await alone(/is open to other users/)
      await chmod(path, 0o700)
    }
    const link = join(root, 'link')
    await symlink(join(directory, 'service.socket'), link)
    await writeFile(join(directory, 'service.address'), link)
    await alone(/is open to other users|symbolic link/)
    await writeFile(join(directory, 'service.address'), 'http://example.com/')
    await alone('no service has a cache')
  })
})

describe('a question that nobody waits for', () => {
  it('is cancelled in the service, and the command ends with the reason', async () => {
    let cancelled = false
    await listen(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            cancelled = true
            reject(signal.reason)
          })
        }),
    )
    const leaving = new AbortController()
    const asking = ask({ signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('interrupted')), 200)
    await expect(asking).rejects.toThrow('interrupted')
    await expect.poll(() => cancelled).toBe(true)
    expect(failures).toEqual([])
  })

  it('is cancelled while a large answer is written', async () => {
    await listen(async () => answerOf(rowsOf(200_000)))
    const socket = connect(join(directory, 'service.socket'))
    socket.write(`${JSON.stringify({ identity: IDENTITY, question: { call: 'query', name: 'mrr', params: {}, spec: {} } })}\n`)
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    expect(await ask()).toMatchObject({ own: 0 })
    expect(failures).toEqual([])
  })
})

describe('the socket', () => {
  const exchange = (text: string) =>
    new Promise<string>((resolve) => {
      let received = ''
      const socket = connect(join(directory, 'service.socket'))
      socket.on('data', (chunk) => (received += chunk))
      socket.on('error', () => {})
      socket.on('close', () => resolve(received))
      socket.write(text)
    })

  it('takes only the reading calls that it knows', async () => {
    await listen(ANSWERED)
    const question = { call: 'query', name: 'mrr', params: {}, spec: {} }
    for (const other of [
      { ...question, call: 'attributes' },
      { ...question, call: 'close' },
      { ...question, more: 1 },
      { ...question, params: 'x' },
    ])
      expect(await exchange(`${JSON.stringify({ identity: IDENTITY, question: other })}\n`)).toMatch(/"declined"/)
    expect(await exchange('{}\n')).toMatch(/"declined"/)
    expect((await ask()).own).toBe(0)
  })

  it('survives garbage, a question without end, and a client that says nothing', async () => {
    await listen(ANSWERED)
    expect(await exchange('garbage\n')).toMatch(/"declined"/)
    expect(await exchange('x'.repeat(3_000_000))).toBe('')
    const silent = connect(join(directory, 'service.socket'))
    expect((await ask()).own).toBe(0)
    silent.destroy()
  })

  it('is only for its owner, and is removed at the end with its address', async () => {
    const service = await listen(ANSWERED)
    expect((await readdir(directory)).sort()).toEqual(['service.address', 'service.socket'])
    expect(await readFile(join(directory, 'service.address'), 'utf8')).toBe(`${join(directory, 'service.socket')}\n`)
    await service.close()
    expect(await readdir(directory)).toEqual([])
  })

  it('is in a short directory if its own would be too long for the kernel', async () => {
    directory = join(root, 'x'.repeat(120), 'cache')
    const service = await listen(ANSWERED)
    const address = (await readFile(join(directory, 'service.address'), 'utf8')).trim()
    expect(address.length).toBeLessThan(100)
    expect(await ask()).toMatchObject({ own: 0, origin: { source: 'cache' } })
    await service.close()
    expect(await readdir(directory)).toEqual([])
    await expect(readdir(dirname(address))).rejects.toThrow('ENOENT')
  })

  it('stays the first service’s as long as it lives', async () => {
    const first = await listen(ANSWERED)
    await expect(listen(async () => answerOf(['second']))).rejects.toThrow('Another service answers')
    expect((await ask()).data).not.toEqual(['second'])
    await first.close()
    await listen(async () => answerOf(['second']))
    expect((await ask()).data).toEqual(['second'])
  })

  it('is not opened where nothing can be created', async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'file'), '')
    directory = join(directory, 'file')
    await expect(listen(ANSWERED)).rejects.toThrow('Commands cannot use the cache of this service')
  })
})

function rowsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({ a: `row ${index}`, b: index }))
}
