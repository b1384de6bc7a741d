import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, AskOptions, Engine, Origin, VerifyOptions } from '../../src/engine/engine.ts'
import { askingService } from '../../src/facades/socket/ask.ts'
import { type ListeningSocket, listenForCommands } from '../../src/facades/socket/listen.ts'

const IDENTITY = { version: '1' }
const META = {
  data_through: null,
  definitions: '0123456789ab',
  warnings: [],
  base_currency: 'EUR',
  fields: [],
  amounts: { unit: 'cents', currency: 'EUR' },
} as const

/** An engine that answers each call with its own name, the name of the call and what the call takes. */
function echo(by: string): Engine {
  const call =
    (name: string) =>
    async (...given: unknown[]): Promise<Answer> => ({
      kind: 'rows',
      columns: [],
      meta: META,
      data: [by, name, JSON.parse(JSON.stringify(given, (key, value) => (key === 'signal' ? undefined : value)))],
    })
  const calls = [
    'query',
    'metricRows',
    'list',
    'bridge',
    'customer',
    'summary',
    'invoiceAges',
    'billingHealth',
    'billingFindings',
  ]
  const answering = [...calls, 'billingNotices', 'renewals', 'billings'].map((name) => [name, call(name)])
  const verification = {
    async run(params: unknown, { onProgress, onOrigin }: VerifyOptions = {}) {
      onProgress?.(0, 1, { name: 'a check' })
      onProgress?.(1, 1, undefined)
      onOrigin?.({ source: 'cache' })
      return [by, 'verify', params]
    },
  }
  const rates = { missing: async () => [by, 'missingRates'] }
  return { ...Object.fromEntries(answering), verification, rates } as unknown as Engine
}

type Make = (engine: Engine, options: AskOptions) => Promise<Answer>
const PARAMS = { at: '2026-01-01', limit: 3 }
const SPEC = { dimensions: ['currency'] }
const CALLS: readonly (readonly [string, Make])[] = [
  ['query', (engine, options) => engine.query('mrr', PARAMS, SPEC, options)],
  ['metricRows', (engine, options) => engine.metricRows('mrr', PARAMS, SPEC, options)],
  ['all metricRows', (engine, options) => engine.metricRows('mrr', PARAMS, SPEC, { ...options, isWhole: true })],
  ['list', (engine, options) => engine.list('invoices', PARAMS, SPEC, options)],
  ['bridge', (engine, options) => engine.bridge('mrr', PARAMS, SPEC, options)],
  ['customer', (engine, options) => engine.customer('an id', PARAMS, SPEC, options)],
  ['summary', (engine, options) => engine.summary(PARAMS, SPEC, options)],
  ['invoiceAges', (engine, options) => engine.invoiceAges(PARAMS, SPEC, options)],
  ['billingHealth', (engine, options) => engine.billingHealth(PARAMS, SPEC, options)],
  ['billingFindings', (engine, options) => engine.billingFindings(PARAMS, SPEC, options)],
  ['billingNotices', (engine, options) => engine.billingNotices(PARAMS, SPEC, options)],
  ['renewals', (engine, options) => engine.renewals(PARAMS, SPEC, options)],
  ['billings', (engine, options) => engine.billings(PARAMS, SPEC, options)],
]

describe('a command that asks a service', () => {
  let directory: string
  let listening: ListeningSocket | string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pl-socket-'))
    const onFailure = (error: unknown) => {
      throw error
    }
    const options = { directory, identity: IDENTITY, unready: () => undefined, onFailure }
    listening = await listenForCommands({ engine: echo('service'), ...options })
  })
  afterAll(async () => {
    if (typeof listening !== 'string') await listening.close()
    await rm(directory, { recursive: true })
  })

  it.each(CALLS)('gets the answer of %s, with all that it takes', async (_call, make) => {
    const through = askingService(echo('own'), { place: { directory }, identity: () => IDENTITY })
    const alone = askingService(echo('own'), { place: { none: 'nowhere' }, identity: () => IDENTITY })
    const direct = await make(echo('service'), {})
    expect(direct).toMatchObject({ data: ['service', expect.any(String), expect.anything()] })
    expect(await make(through, {})).toEqual(direct)
    expect(await make(alone, {})).toEqual(await make(echo('own'), {}))
  })

  it('gets the results of a verification, and how far it is', async () => {
    const through = askingService(echo('own'), { place: { directory }, identity: () => IDENTITY })
    const seen: unknown[] = []
    const onProgress: VerifyOptions['onProgress'] = (done, all, check) => seen.push([done, all, check?.name])
    const onOrigin = (origin: Origin) => seen.push(origin.service?.pid)
    expect(await through.verification.run({ start: '2026-01-01' }, { onProgress, onOrigin })).toEqual([
      'service',
      'verify',
      { start: '2026-01-01' },
    ])
    expect(seen).toEqual([[0, 1, 'a check'], [1, 1, undefined], process.pid])
    expect(await through.rates.missing()).toEqual(['service', 'missingRates'])
  })
})
