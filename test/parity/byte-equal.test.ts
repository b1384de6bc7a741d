import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { createApp } from '../../src/http/app.ts'
import { BILLING_METRICS } from '../support/billing-metrics.ts'
import { type CountedCache, cachedEngineOver } from '../support/counted-cache.ts'
import { JSON_BODY } from '../support/json-body.ts'
import { type OfferedRequest, offeredRequests } from '../support/offered-requests.ts'
import { engineOver } from '../support/real-engine.ts'
import { fingerprint, recordedAnswers } from '../support/recorded-answers.ts'
import { sharedReal } from '../support/shared-real.ts'
import { engines, isInTurn, type TestDatabase } from '../support/targets.ts'

type App = ReturnType<typeof createApp>

/** Invoices are not in the cache. */
const DIRECT = /^\/api\/invoices/

/** An overview has a path of its own, which is among those recorded. */
const METRICS = BILLING_METRICS.filter(({ is_overview }) => is_overview !== true)

const RECORDED = recordedAnswers()
const PATHS = RECORDED.flatMap((recorded) => ('path' in recorded ? [recorded] : []))
const RECORDED_REQUESTS = RECORDED.flatMap((recorded) => ('path' in recorded ? [] : [recorded]))

/** At least so many requests must come from the offers, else one of them has gone silent. */
const FEWEST = 120

const TARGETS = engines()

// The first of all is direct, so that what is compared with it is every other database and every cache.
describe(`bodies from ${TARGETS.map(({ name }) => name)}, straight and from the cache`, () => {
  const databases: TestDatabase[] = []
  const opened: Engine[] = []
  const apps = new Map<string, App>()
  const caches = new Map<string, CountedCache>()
  let requests: readonly (OfferedRequest & { readonly sha256?: string })[] = []

  // An embedded database has one connection and is not cached where the product runs, only here where there is no server.
  const names = TARGETS.map(({ name }) => name)
  const servers = names.filter((name) => name !== 'pglite')
  const withCache = servers.length > 0 ? servers : names

  beforeAll(async () => {
    for (const target of TARGETS) {
      const database = await sharedReal(target)
      databases.push(database)
      const direct = await engineOver(database, { tenant: ['all'] })
      opened.push(direct)
      apps.set(target.name, appOf(direct))
      if (withCache.includes(target.name)) {
        const cached = await cachedEngineOver(database, { tenant: ['all'] })
        caches.set(target.name, cached.cache)
        opened.push(cached.engine)
        apps.set(`${target.name}, cached`, appOf(cached.engine))
      }
      requests = await offeredRequests(direct)
    }
    const known = new Set(RECORDED_REQUESTS.map(identity))
    requests = [...RECORDED_REQUESTS, ...requests.filter((request) => !known.has(identity(request)))]
  })
  afterAll(async () => {
    for (const engine of opened) await engine.close()
    await Promise.all(databases.map((database) => database.drop()))
  })

  // What a cache holds of one engine it answers as it does that of another, and both engines are asked the same SQL but for its dialect.
  const shares = () =>
    new Map([...names.slice(1).map((name) => [name, 2] as const), ...laterCaches().map((name) => [name, 3] as const)])
  const laterCaches = () => [...caches.keys()].slice(1).map((name) => `${name}, cached`)
  const askedAt = (turn: number) => [...apps].filter(([name]) => isInTurn(turn, shares().get(name) ?? 1))
  const bodiesOf = async (turn: number, path: string, init?: RequestInit): Promise<Record<string, string>> => {
    const ask = async ([name, app]: [string, App]) => {
      const response = await app.request(path, init)
      return [name, `${response.status} ${await response.text()}`]
    }
    return Object.fromEntries(await Promise.all(askedAt(turn).map(ask)))
  }
  const expectEqual = (bodies: Record<string, string>, request: string, sha256: string | undefined): void => {
    const [first = '', ...others] = Object.values(bodies)
    expect(first, request).toMatch(/^200 /)
    if (sha256 !== undefined) expect(fingerprint(asRecorded(first)), `${request} as it was recorded`).toBe(sha256)
    // Not toEqual on the whole: a difference in megabytes of rows would drown the message.
    for (const other of others) expect(differing(first, other), `${request} on ${Object.keys(bodies)}`).toBeUndefined()
  }
  const answered = () => Object.fromEntries([...caches].map(([name, cache]) => [name, cache.answered()]))
  const more = (counts: Record<string, number>, turns: readonly number[]) =>
    Object.fromEntries(
      Object.entries(counts).map(([name, before]) => {
        const asked = turns.filter((turn) => askedAt(turn).some(([app]) => app === `${name}, cached`))
        return [name, before + asked.length]
      }),
    )
  const expectNoFailure = () => {
    for (const [name, cache] of caches) expect(cache.failures(), name).toEqual([])
  }

  it('come from many requests', () => {
    expect(requests.length).toBeGreaterThanOrEqual(FEWEST)
    expect(caches.size).toBe(withCache.length)
  })

  it.each(METRICS.map(({ name }) => name))(
    'are byte-equal for everything that %s offers (I23)',
    async (metric) => {
      const empty: string[] = []
      const before = answered()
      const asked = requests.filter((request) => request.metric === metric)
      for (const [turn, { name, params, spec, sha256 }] of asked.entries()) {
        const bodies = await bodiesOf(turn, `/api/metrics/${metric}`, {
          method: 'POST',
          headers: JSON_BODY,
          body: JSON.stringify({ params, spec }),
        })
        expectEqual(bodies, name, sha256)
        if (Object.values(bodies)[0] === '200 []') empty.push(name)
      }
      expectNoFailure()
      expect(answered()).toEqual(more(before, [...asked.keys()]))
      // Equal because there is nothing to see proves little.
      expect(empty.length, `empty: ${empty.join('; ')}`).toBeLessThan(asked.length / 4)
    },
    600_000,
  )

  it.each(PATHS.map((recorded, turn) => ({ ...recorded, turn })))('are byte-equal for $path', async ({ path, sha256, turn }) => {
    const before = answered()
    expectEqual(await bodiesOf(turn, path), path, sha256)
    expectNoFailure()
    expect(answered()).toEqual(more(before, DIRECT.test(path) ? [] : [turn]))
  })
})

/** Fields that came after the answers were written down; none holds a comma, nor does a cell before one of them. */
const LATER = ['gross_margin', 'operating_margin', 'decided_conversion_rate', 'reactivation_excluded']

/** An answer as it was written down. The rows of the trials' rate had no `expired`, which is the last of them. */
function asRecorded(answer: string): string {
  const field = `"(?:${LATER.join('|')})":[^,}]*`
  const json = answer.replaceAll(new RegExp(`${field},|,${field}(?=})|,"expired":\\d+(?=})`, 'g'), '')
  const [header = '', ...rows] = json.split('\r\n')
  const columns = header.split(',')
  const isLater = (at: number) => LATER.includes(columns[at] ?? '') || (columns[at] === 'expired' && at === columns.length - 1)
  if (rows.length === 0 || !columns.some((_, at) => isLater(at))) return json
  const cut = (line: string) =>
    line
      .split(',')
      .filter((_, at) => !isLater(at))
      .join(',')
  return [cut(header), ...rows.map((row) => (row === '' ? row : cut(row)))].join('\r\n')
}

function identity({ metric, params, spec }: OfferedRequest): string {
  return JSON.stringify([metric, params, spec])
}

function appOf(engine: Engine): App {
  return createApp({
    engine,
    version: '0',
    corsOrigins: [],
    limits: { body_bytes: 1_000_000 },
    log: (line) => process.stderr.write(`${line}\n`),
  })
}

/** The surroundings of the first difference; undefined when there is none. */
function differing(one: string, other: string): readonly [string, string] | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at++
  return [one.slice(Math.max(0, at - 200), at + 100), other.slice(Math.max(0, at - 200), at + 100)]
}
