import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import {
  missingPostgres,
  OTHER_POSTGRES,
  type OwnPostgres,
  startPostgres,
} from '../support/databases/servers/postgres-versions.ts'
import { postgresTarget } from '../support/databases/target-postgres.ts'
import { engines } from '../support/databases/targets.ts'
import { BILLING_METRICS } from '../support/product/billing-metrics.ts'
import { type CountedCache, cachedEngineOver } from '../support/product/counted-cache.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { type OfferedRequest, offeredRequests } from '../support/product/offered-requests.ts'
import { isAnsweredDirectly, recordedAnswers } from '../support/product/recorded-answers.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

type App = ReturnType<typeof createApp>

interface Question {
  readonly name: string
  readonly path: string
  readonly init?: RequestInit
}

// biome-ignore lint/style/noProcessEnv: the run's own switch, no product configuration
const isRelease = process.env['TEST_RELEASE'] !== undefined
const turn = inject('turn')
const versions = isRelease ? OTHER_POSTGRES : OTHER_POSTGRES.filter((_, index) => index === turn % OTHER_POSTGRES.length)

/** A run asks a seventh of the list on one version, a release all of it on both. */
const SHARE = isRelease ? 1 : 7
/** The cache answers every third of these questions too. */
const CACHED_SHARE = 3
const FEWEST = 120

/** An overview has its own path, which is among those recorded. */
const METRICS = new Set(BILLING_METRICS.filter(({ is_overview }) => is_overview !== true).map(({ name }) => name))

describe.each(versions)('the recorded data on PostgreSQL %s', (version) => {
  const isAtHand = missingPostgres([version]).length === 0
  let server: OwnPostgres
  let usual: App
  let other: App
  let cached: App
  let cache: CountedCache
  let checked: Engine
  let questions: readonly Question[] = []
  const closing: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    if (!isAtHand) return
    server = await startPostgres(version)
    closing.push(() => server.close())
    const database = await postgresTarget(server.url).createDatabase()
    closing.push(() => database.drop())
    await loadReal(database)
    await database.adminQuery('analyze')
    const [first] = engines()
    if (first === undefined) throw new Error('there is no engine to compare with')
    const direct = await engineOver(await sharedReal(first), { tenant: ['all'] })
    const otherDirect = await engineOver(database, { tenant: ['all'] })
    checked = otherDirect
    const otherCached = await cachedEngineOver(database, { tenant: ['all'] })
    cache = otherCached.cache
    closing.push(...[direct, otherDirect, otherCached.engine].map((engine) => () => engine.close()))
    usual = appOf(direct)
    other = appOf(otherDirect)
    cached = appOf(otherCached.engine)
    const offered = (await offeredRequests(direct)).filter(({ metric }) => METRICS.has(metric))
    questions = [...recordedAnswers(), ...offered].map(asQuestion)
  })
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })

  it.runIf(isAtHand)('answers every request byte for byte as the usual engine does, straight and from the cache', async () => {
    expect(questions.length).toBeGreaterThan(FEWEST)
    let fromCache = 0
    for (const [index, question] of questions.filter((_, index) => isInTurn(index, SHARE)).entries()) {
      const expected = await bodyOf(usual, question)
      expect(expected, question.name).toMatch(/^200 /)
      expect(await bodyOf(other, question), question.name).toBe(expected)
      if (index % CACHED_SHARE !== turn % CACHED_SHARE || isAnsweredDirectly(question.path, question.init?.body)) continue
      expect(await bodyOf(cached, question), `${question.name}, cached`).toBe(expected)
      fromCache += 1
    }
    expect(cache.failures()).toEqual([])
    expect(cache.answered()).toBe(fromCache)
    expect(fromCache).toBeGreaterThan(FEWEST / SHARE / CACHED_SHARE)
  })

  it.runIf(isAtHand)('is supported, as check says', async () => {
    const findings = await checked.check()
    expect(findings.filter(({ level }) => level === 'failure')).toEqual([])
    const shown = `PostgreSQL ${version.replace(/\.0$/, '')}, schema public, role primary`
    expect(findings).toContainEqual({ name: 'connection', level: 'ok', message: shown })
  })
})

function asQuestion(request: OfferedRequest | { readonly path: string }): Question {
  if (!('metric' in request)) return { name: request.path, path: request.path }
  const { name, metric, params, spec } = request
  const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ params, spec }) }
  return { name, path: `/api/metrics/${metric}`, init }
}

async function bodyOf(app: App, { path, init }: Question): Promise<string> {
  const response = await app.request(path, init)
  return `${response.status} ${await response.text()}`
}

function appOf(engine: Engine): App {
  const log = (line: string) => process.stderr.write(`${line}\n`)
  return createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log })
}
