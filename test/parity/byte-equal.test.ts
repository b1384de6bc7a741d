import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import type { Answer } from '../../src/execution/answer/answer.ts'
import { createApp } from '../../src/facades/http/app.ts'
import type { MetricDefinition } from '../../src/metrics/define-metric.ts'
import { largestNumbers } from '../../src/metrics/number-cells.ts'
import type { Row } from '../../src/ports/rows.ts'
import { groupableFields, paramsForDays } from '../../src/query/inputs.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { engines, type TestDatabase } from '../support/databases/targets.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { type OfferedRequest, offeredRequests } from '../support/product/offered-requests.ts'
import { fingerprint, isAnsweredDirectly, recordedAnswers } from '../support/product/recorded-answers.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type App = ReturnType<typeof createApp>

interface Question {
  readonly name: string
  readonly path: string
  readonly init?: RequestInit
  /** The fingerprint of its answer, where that was written down. */
  readonly sha256: string | undefined
}

/** Customers by their ids, who are asked alike: each run takes a share of them. */
const ONE_CUSTOMER = /^\/api\/customers\/[^?]/

/** An overview has its own path, which is among those recorded. */
const METRICS = BILLING_METRICS.filter(({ is_overview }) => is_overview !== true)

const RECORDED = recordedAnswers()
const PATHS = RECORDED.flatMap((recorded) => ('path' in recorded ? [recorded] : []))
const RECORDED_REQUESTS = RECORDED.flatMap((recorded) => ('path' in recorded ? [] : [recorded]))

/** The fewest requests from the offers. With fewer, an offer has gone silent. */
const FEWEST = 120

/** A number that has no divisor in common with that of the ways: each request comes by every way in some turn. */
const SHARE = 5

/** Of the six recorded customers each run asks for two; like the share above, all of them come by every way in some turn. */
const CUSTOMERS_SHARE = 3

/** The whole recording but its last day, so that many states end within it and some after it. */
const DAYS_OF_ROWS = { start: '2025-06-01', end: '2026-11-20' }

/**
 * Measures without rows here: nobody has left a cohort in its first month, and reactivations and rates change nothing under the default definitions.
 * All kinds of charges are revenue. On a day, ARR has no net movement. No invoice has tax or a summary of a child's. Nobody was charged automatically.
 */
const WITHOUT_ROWS = [
  'ledger.revenue late',
  'ledger.revenue other_income',
  'ledger.mrr_bridge other_income',
  'retention.cohort_matrix left_count',
  'retention.nrr reactivation',
  'mrr.waterfall fx_effect',
  'mrr.arr amount_base',
  'ledger.movements tax',
  'ledger.movements transferred',
  'ledger.movements suspense',
  'ledger.collections invoices_attempted',
  'ledger.collections first_attempt_failed',
  'ledger.collections first_attempt_failed_amount',
  'ledger.collections recovered',
  'ledger.collections attempts',
  'ledger.collections failed_attempts',
  'involuntary_churn.logo involuntary_count',
  'involuntary_churn.revenue involuntary_lost',
]

const TARGETS = engines()

describe(`bodies from ${TARGETS.map(({ name }) => name)}, straight and from the cache`, () => {
  const databases: TestDatabase[] = []
  const opened: Engine[] = []
  const apps = new Map<string, App>()
  const caches = new Map<string, CountedCache>()
  /** How many questions were put in which way, and how many of them a cache may answer. */
  const asked = new Map<string, number>()
  const cacheable = new Map<string, number>()
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
      // Every engine is offered the same, so that the first is asked for it.
      if (apps.size === 0) requests = await offeredRequests(direct)
      apps.set(target.name, appOf(direct))
      if (withCache.includes(target.name)) {
        const cached = await cachedEngineOver(database, { tenant: ['all'] })
        caches.set(target.name, cached.cache)
        opened.push(cached.engine)
        apps.set(`${target.name}, cached`, appOf(cached.engine))
      }
    }
    const known = new Set(RECORDED_REQUESTS.map(identity))
    requests = [...RECORDED_REQUESTS, ...requests.filter((request) => !known.has(identity(request)))]
  })
  afterAll(async () => {
    for (const engine of opened) await engine.close()
    await Promise.all(databases.map((database) => database.drop()))
  })

  // The ways to an answer, straight and from the cache, form a circle. One way in turn is compared with the recorded answer. If there is none,
  // or the answer has grown since, it is compared with the answer of the next way.
  const wayOf = (turn: number) => [...apps.keys()].findIndex((_, way) => isInTurn(turn + way, apps.size))
  const ask = async (way: number, { path, init }: Question): Promise<readonly [string, string]> => {
    const [name, app] = [...apps][way % apps.size] ?? []
    const response = await app?.request(path, init)
    for (const counts of isAnsweredDirectly(path, init?.body) ? [asked] : [asked, cacheable])
      counts.set(name ?? '', (counts.get(name ?? '') ?? 0) + 1)
    return [name ?? '', `${response?.status} ${await response?.text()}`]
  }
  const expectEqual = async (place: number, question: Question, ways = 1): Promise<string> => {
    const { name, sha256 } = question
    const [way, body] = await ask(place, question)
    expect(body, name).toMatch(/^200 /)
    const known = asRecorded(body)
    if (sha256 !== undefined) expect(fingerprint(known), `${name} on ${way} as it was recorded`).toBe(sha256)
    if (ways === 1 && sha256 !== undefined && known === body) return body
    const [next, other] = await ask(place + 1, question)
    // Not toEqual on the whole: a difference in megabytes of rows would drown the message.
    expect(differing(body, other), `${name} on ${way} and ${next}`).toBeUndefined()
    return body
  }
  const expectCached = () => {
    for (const [name, cache] of caches) {
      expect(cache.failures(), name).toEqual([])
      expect(cache.answered(), name).toBe(cacheable.get(`${name}, cached`) ?? 0)
    }
  }

  it('come from many requests', () => {
    expect(requests.length).toBeGreaterThanOrEqual(FEWEST)
    expect(caches.size).toBe(withCache.length)
  })

  it.each(METRICS.map(({ name }) => name))(
    'are byte-equal for everything that %s offers (I23)',
    async (metric) => {
      const empty: string[] = []
      const before = new Map(asked)
      const offered = requests
        .filter((request) => request.metric === metric)
        .map((request, turn) => ({ ...request, turn }))
        .filter(({ turn }) => isInTurn(turn, SHARE))
      for (const { turn, name, params, spec, sha256 } of offered) {
        const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ params, spec }) }
        const body = await expectEqual(wayOf(turn), { name, path: `/api/metrics/${metric}`, init, sha256 })
        if (body === '200 []') empty.push(name)
      }
      expectCached()
      const ways = [...apps.keys()].filter((name) => (asked.get(name) ?? 0) > (before.get(name) ?? 0))
      expect(ways.length).toBeGreaterThanOrEqual(Math.min(apps.size, offered.length))
      // Equal because there is nothing to see proves little.
      expect(empty.length, `empty: ${empty.join('; ')}`).toBeLessThan(offered.length / 4)
    },
    600_000,
  )

  it.each(METRICS.map(({ name }) => name))(
    'are byte-equal for the rows behind every measure of %s',
    async (metric) => {
      const [direct] = opened
      if (direct === undefined) throw new Error('no engine is open')
      const found = new Set<string>()
      let turn = 0
      for (const [type, query] of Object.entries(definitionOf(metric).queries)) {
        const known = groupableFields(query.inputs, false).map(({ key }) => key)
        const dimensions = ['plan_id', 'source'].filter((key) => known.includes(key)).slice(0, 1)
        const asked = { query_type: type, ...paramsForDays(query.inputs, DAYS_OF_ROWS) }
        const rows = rowsOf(await direct.query(metric, asked, dimensions.length === 0 ? {} : { dimensions }))
        for (const { measure, params } of largestNumbers(rows, query, dimensions)) {
          turn += 1
          // All rows, or the first ones with their evidence.
          const format = isInTurn(turn, 2) ? { format: 'csv' } : {}
          const path = `/api/metrics/${metric}/rows?${queryString({ ...asked, ...params, ...format })}`
          // Straight and from the cache of the first engine; a share of them by the other ways.
          const way = isInTurn(turn, SHARE) ? wayOf(turn) : 0
          const body = await expectEqual(way, { name: path, path, sha256: undefined }, 2)
          if (format.format === undefined ? !body.includes('"total":0') : body.trim().includes('\r\n'))
            found.add(`${type} ${measure}`)
        }
      }
      expectCached()
      const empty = measuresOf(metric).filter((measure) => !found.has(measure))
      expect(empty.filter((measure) => !WITHOUT_ROWS.includes(`${metric}.${measure}`))).toEqual([])
    },
    600_000,
  )

  const paths = PATHS.map((recorded, turn) => ({ ...recorded, turn })).filter(
    ({ path, turn }) => !ONE_CUSTOMER.test(path) || isInTurn(turn, CUSTOMERS_SHARE),
  )
  it.each(paths)('are byte-equal for $path', async ({ path, sha256, turn }) => {
    await expectEqual(wayOf(turn), { name: path, path, sha256 }, 2)
    expectCached()
  })
})

/** Fields that came after the answers were written down; none holds a comma but in an object. */
const LATER = [
  'gross_margin',
  'operating_margin',
  'decided_conversion_rate',
  'reactivation_excluded',
  'is_partial',
  'tenant',
  'days_open',
  'age',
  'balance_base_cents',
  'admin_url',
  'nrr_12_months',
  'grr_12_months',
  'net_new_mrr_so_far',
  'year_window',
  'month_window',
]

/** A comma that no quotes enclose. */
const OUTSIDE_QUOTES = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/

/** An answer as it was written down. The rows of the trials' rate had no `expired`, which was the last of them then. */
function asRecorded(answer: string): string {
  const field = `"(?:${LATER.join('|')})":(?:{[^}]*}|[^,}]*)`
  const expired = String.raw`,"expired":\d+(?=(?:,"is_partial":true)?})`
  const json = answer.replaceAll(new RegExp(`${expired}|(?:,${field})+(?=})|${field},`, 'g'), '')
  const [header = '', ...rows] = json.split('\r\n')
  const columns = header.split(',')
  const last = columns.findLastIndex((column) => column !== 'is_partial')
  const isLater = (at: number) => LATER.includes(columns[at] ?? '') || (columns[at] === 'expired' && at === last)
  if (rows.length === 0 || !columns.some((_, at) => isLater(at))) return json
  const cut = (line: string) =>
    line
      .split(OUTSIDE_QUOTES)
      .filter((_, at) => !isLater(at))
      .join(',')
  return [cut(header), ...rows.map((row) => (row === '' ? row : cut(row)))].join('\r\n')
}

function definitionOf(metric: string): MetricDefinition {
  const definition = METRICS.find(({ name }) => name === metric)
  if (definition === undefined) throw new Error(`no metric ${metric}`)
  return definition
}

/** The measures of all queries that have rows. */
function measuresOf(metric: string): readonly string[] {
  const queries = Object.entries(definitionOf(metric).queries)
  return queries.flatMap(([type, { rows = {} }]) => Object.keys(rows).map((measure) => `${type} ${measure}`))
}

/** The rows of an answer. A figure alone is a row with one column. */
function rowsOf({ data, kind, columns: [first = ''] }: Answer): readonly Row[] {
  if (kind === 'scalar') return [{ [first]: data as Row[string] }]
  return Array.isArray(data) ? data : [data as Row]
}

function queryString(params: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(params).flatMap(([key, values]) =>
    [values].flat().map((value) => [key, String(value)] as [string, string]),
  )
  return new URLSearchParams(pairs).toString()
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
