import type { BenchDatabase } from '../bench-database.ts'
import { median } from '../measure.ts'
import { cacheBytes, crossCheck, forgetCache, type Place, type Service, serve } from './checkout.ts'
import {
  answered,
  costOf,
  difference,
  latencies,
  MEGABYTE,
  mean,
  memoryOf,
  middle,
  settled,
  share,
  startUp,
} from './instruments.ts'
import type { BackendMeter, Cost } from './processor.ts'
import { LATER, newPaths, POINT, QUESTIONS } from './questions.ts'
import type { Measured } from './report.ts'
import { requestRate } from './request-rate.ts'
import { touch } from './touch.ts'
import { trust } from './trust.ts'

/** The place that a part measures, and the instruments. */
export interface Bench {
  readonly place: Place
  readonly database: BenchDatabase
  readonly backends: BackendMeter
  /** Accounts in the database. */
  readonly accounts: number
  record(title: string, measured: Measured): void
}

/** The parts, in the order in which they run. */
export const PARTS = [
  'floor',
  'incumbent',
  'straight',
  'fill',
  'questions',
  'dashboard',
  'refresh',
  'rates',
  'restart',
  'busy',
  'trust',
  'cross',
] as const

export type Part = (typeof PARTS)[number]

/** Parts that need a service with a full cache. */
const SERVED: readonly Part[] = ['fill', 'questions', 'dashboard', 'refresh', 'rates', 'restart', 'busy', 'trust', 'cross']

/** Touched accounts, and the rounds of which the median counts. */
const TOUCHED = [
  { accounts: 1, rounds: 7 },
  { accounts: 100, rounds: 5 },
  { accounts: 10_000, rounds: 1 },
  { accounts: 250_000, rounds: 1 },
] as const
/** Ways to ask each question once more: what it costs does not depend on the day. */
const VARIANTS = [0, 1, 2]
const REPEATS = 20
const CLIENTS = [1, 8, 32]

/** Runs the parts of a checkout that are wanted. Gives the answers to the thirteen questions, by title. */
export async function measureCheckout(bench: Bench, wanted: ReadonlySet<Part>): Promise<ReadonlyMap<string, string>> {
  await forgetCache(bench.place)
  if (wanted.has('straight')) await straight(bench)
  if (!SERVED.some((part) => wanted.has(part))) return new Map()
  const served = await filled(bench, wanted.has('fill'))
  const answers = new Map<string, string>()
  let service: Service = served
  try {
    if (wanted.has('questions')) for (const [title, body] of await questions(bench, service)) answers.set(title, body)
    if (wanted.has('dashboard')) await dashboard(bench, service)
    if (wanted.has('refresh')) await refreshes(bench, service)
    if (wanted.has('rates')) await rates(bench, service)
    if (wanted.has('trust') && (await service.ask('/api/definitions', {})).status === 200) await trust(bench, service)
    bench.record('resident memory in the end; at most', memoryOf(service))
    const { answered = 0, declined = {} } = (await service.cache()) ?? {}
    const reasons = Object.entries(declined).map(([reason, count]) => `${count} ${reason}`)
    bench.record('requests answered from the cache; left to the database', `${answered}; ${reasons.join(', ') || 'none'}`)
    if (wanted.has('restart')) service = await restarts(bench, service)
  } finally {
    await service.kill()
  }
  if (wanted.has('busy')) await busyFilling(bench)
  if (wanted.has('cross')) bench.record('`check --cross`', (await crossCheck(bench.place)).join('; '))
  return answers
}

async function straight({ place, backends, record }: Bench): Promise<void> {
  const [start, service] = await startUp(backends, place, 'off')
  try {
    record('start without a cache, until it listens', start)
    // Joins the checks of the start. An earlier version does not have the path.
    await service.ask('/api/checks')
    await settled(service, backends)
    const [cost] = await costOf(backends, service, () => answered(service, POINT))
    record('point MRR straight from the database', cost)
  } finally {
    await service.stop()
  }
}

/** A service whose cache is full. The time counts from the start of the process. */
async function filled({ place, backends, record }: Bench, isRecorded: boolean): Promise<Service> {
  const began = performance.now()
  const before = await backends.total()
  const service = await serve(place, 'auto')
  try {
    const probes = latencies(service, '/healthz')
    await service.ready()
    const cost = {
      clock: performance.now() - began,
      service: service.processorMs(),
      database: difference(await backends.total(), before),
    }
    const waits = await probes.stop()
    await settled(service, backends)
    if (!isRecorded) return service
    record('first fill, from the start of the process', cost)
    record('`/healthz` while it fills, p50; p99; worst', waits)
    record('resident memory after the fill; at most', memoryOf(service))
    record('files of the cache', `${Math.round((await cacheBytes(place)) / MEGABYTE)} MB`)
    return service
  } catch (error) {
    await service.kill()
    throw error
  }
}

async function questions(bench: Bench, service: Service): Promise<readonly (readonly [string, string])[]> {
  const { backends, record } = bench
  const answers: [string, string][] = []
  const all: Cost[] = []
  const tags: [string, string][] = []
  for (const { title, path } of QUESTIONS) {
    const costs: Cost[] = []
    for (const days of VARIANTS) {
      const [cost, { body, etag }] = await costOf(backends, service, () => answered(service, path(days)))
      costs.push(cost)
      if (days !== 0) continue
      answers.push([title, body])
      tags.push([path(0), etag ?? ''])
    }
    const usual = middle(costs)
    record(`new question: ${title}`, usual)
    all.push(usual)
  }
  record('new question: mean of thirteen', mean(all))
  for (const { title, path } of LATER) {
    // An earlier checkout may not know it.
    if ((await service.ask(path(0))).status !== 200) continue
    const [cost] = await costOf(backends, service, () => answered(service, path(1)))
    record(`new question: ${title}`, cost)
  }
  const repeated = async (headers: (tag: string) => Record<string, string>, status: number): Promise<Cost> => {
    const [cost, clocks] = await costOf(backends, service, async () => {
      const each: number[] = []
      for (let round = 0; round < REPEATS; round += 1)
        for (const [path, tag] of tags) each.push((await answered(service, path, headers(tag), status)).clock)
      return each
    })
    return { clock: median(clocks), service: share(cost.service, clocks.length), database: share(cost.database, clocks.length) }
  }
  record('repeated question, mean of thirteen (clock: median)', await repeated(() => ({}), 200))
  record('the same with `If-None-Match`: 304', await repeated((tag) => ({ 'if-none-match': tag }), 304))
  return answers
}

async function dashboard({ backends, database, record }: Bench, service: Service): Promise<void> {
  const costs: Cost[] = []
  for (let round = 0; round < 3; round += 1) {
    await touch(database, 1)
    const [cost] = await costOf(backends, service, () => Promise.all(QUESTIONS.map(({ path }) => answered(service, path(0)))))
    costs.push(cost)
  }
  record('dashboard of thirteen at once, after one change', middle(costs))
}

async function refreshes({ backends, database, accounts, record }: Bench, service: Service): Promise<void> {
  // Ends with the filling that a change of most accounts may need.
  const refreshed = async (touched: number, kind: 'bundle' | 'invoice'): Promise<[Cost, Cost]> => {
    await touch(database, touched, kind)
    let first: Cost | undefined
    const [whole] = await costOf(backends, service, async () => {
      ;[first] = await costOf(backends, service, () => answered(service, POINT))
      await service.ready()
    })
    return [first ?? whole, whole]
  }
  await answered(service, POINT)
  for (const { accounts: wanted, rounds } of TOUCHED) {
    const touched = Math.min(wanted, accounts)
    for (const kind of wanted === 1 ? (['bundle', 'invoice'] as const) : (['bundle'] as const)) {
      const costs: [Cost, Cost][] = []
      for (let round = 0; round < rounds; round += 1) costs.push(await refreshed(touched, kind))
      const amount = `${wanted.toLocaleString('en')}${wanted === 250_000 ? ' (or all)' : ''}`
      const title = `point MRR after ${amount} touched${kind === 'invoice' ? ', by an invoice' : ''}`
      record(title, middle(costs.map(([first]) => first)))
      if (wanted >= 10_000) record(`${title}: until the cache is full again`, middle(costs.map(([, whole]) => whole)))
    }
  }
}

async function rates({ record }: Bench, service: Service): Promise<void> {
  const tags = new Map<string, string>()
  for (const { path } of QUESTIONS) tags.set(path(0), (await answered(service, path(0))).etag ?? '')
  const known = [...tags.keys()]
  const fresh = newPaths(VARIANTS.length)
  const kinds = [
    ['repeated', (index: number) => ({ path: known[index % known.length] ?? POINT, headers: {} })],
    [
      '304',
      (index: number) => {
        const path = known[index % known.length] ?? POINT
        return { path, headers: { 'if-none-match': tags.get(path) ?? '' } }
      },
    ],
    ['new', () => ({ path: fresh.next().value, headers: {} })],
  ] as const
  for (const [kind, next] of kinds)
    for (const clients of CLIENTS) record(`${kind}, ${clients} clients`, await requestRate(service, clients, next))
}

/** Stops and starts, then kills and starts. A first answer other than the one before is an error. */
async function restarts({ place, backends, record }: Bench, service: Service): Promise<Service> {
  const before = (await answered(service, POINT)).body
  const again = async (title: string): Promise<Service> => {
    const began = performance.now()
    const used = await backends.total()
    const next = await serve(place, 'auto')
    const { body } = await answered(next, POINT)
    record(title, {
      clock: performance.now() - began,
      service: next.processorMs(),
      database: difference(await backends.total(), used),
    })
    if (body !== before) throw new Error(`${title}: ${POINT} was ${before} before, ${body} after`)
    return next
  }
  await service.ready()
  await service.stop()
  const bytes = await cacheBytes(place)
  record('files of the cache after the end', bytes === 0 ? 'none' : `${Math.round(bytes / MEGABYTE)} MB`)
  const restarted = await again('first right answer after a restart, from the start of the process')
  if (bytes === 0) return restarted
  await restarted.ready()
  await restarted.kill()
  return again('the same after `kill -9`')
}

/** Another first filling, during which clients ask the same question over and over. */
async function busyFilling({ place, record }: Bench): Promise<void> {
  await forgetCache(place)
  const service = await serve(place, 'auto')
  try {
    const life = latencies(service, '/healthz')
    const asked = latencies(service, POINT)
    await service.ready()
    record('`/healthz` while it fills and a client asks, p50; p99; worst', await life.stop())
    record('a question asked again while it fills, p50; p99; worst', await asked.stop())
  } finally {
    await service.stop()
  }
}
