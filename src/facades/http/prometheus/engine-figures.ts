import { Counter, Gauge, type Registry } from 'prom-client'
import type { Engine, Readiness } from '../../../engine/engine.ts'

type Statistics = ReturnType<Engine['statistics']>
const byReason = (counts: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(counts).map(([reason, count]) => [count, { reason }])

type QueueLoad = NonNullable<Statistics['queues']['replica']>

const QUEUE_GAUGES: readonly (readonly [name: string, help: string, read: (load: QueueLoad) => number])[] = [
  ['plumbline_queue_running', 'Snapshots open', (load) => load.running],
  ['plumbline_queue_size', 'Most snapshots that can be open', (load) => load.size],
  ['plumbline_queue_waiting', 'Requests waiting for a snapshot', (load) => load.waiting],
  ['plumbline_queue_waiting_limit', 'Most requests that can wait for a snapshot', (load) => load.queue_size],
]

const CACHE_STATES = ['idle', 'filling', 'ready', 'failed'] as const

/** Loads and counters of the engine. They are read from memory, without a database. */
export function engineFigures(registry: Registry, engine: Pick<Engine, 'statistics'>): void {
  for (const [name, help, read] of QUEUE_GAUGES) {
    gaugeOf(registry, { name, help, labels: ['queue'] }, () =>
      Object.entries(engine.statistics().queues).flatMap(([queue, load]): Sample[] =>
        load === null ? [] : [[read(load), { queue }]],
      ),
    )
  }
  const ofCache = (read: (cache: NonNullable<Statistics['cache']>) => readonly Sample[]) => () => {
    const { cache } = engine.statistics()
    return cache === null ? [] : read(cache)
  }
  gaugeOf(
    registry,
    { name: 'plumbline_cache_status', help: '1 for the current status of the cache', labels: ['status'] },
    ofCache(({ status }) => CACHE_STATES.map((each) => [each === status ? 1 : 0, { status: each }])),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_cache_accounts', help: 'Accounts in the cache, or read so far' },
    ofCache(({ accounts }) => [[accounts]]),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_cache_filled_share', help: 'Share of the running filling that is done, from 0 to 1. Absent if unknown' },
    ofCache(({ progress }) => (typeof progress?.share === 'number' ? [[progress.share]] : [])),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_cache_snapshot_age_seconds', help: 'Age of the snapshot that the cache reflects' },
    ofCache(({ snapshot_at }) => (snapshot_at === null ? [] : [[(Date.now() - Date.parse(snapshot_at)) / 1_000]])),
  )
  counterOf(
    registry,
    { name: 'plumbline_cache_answered_total', help: 'Requests answered from the cache' },
    ofCache(({ answered }) => [[answered]]),
  )
  counterOf(
    registry,
    { name: 'plumbline_cache_declined_total', help: 'Requests sent to the replica instead of the cache', labels: ['reason'] },
    ofCache(({ declined }) => byReason(declined)),
  )
  counterOf(
    registry,
    { name: 'plumbline_cache_refills_total', help: 'Times that the cache was filled again', labels: ['reason'] },
    ofCache(({ refills }) => byReason(refills)),
  )
}

/** Replica, store and sources at the last readiness check. */
export function readinessFigures(
  registry: Registry,
  latest: () => { readonly found: Readiness; readonly at: Date } | undefined,
): void {
  const ofLatest = (read: (checks: Readiness['checks']) => readonly Sample[]) => () => {
    const known = latest()
    return known === undefined ? [] : read(known.found.checks)
  }
  gaugeOf(
    registry,
    { name: 'plumbline_replica_up', help: '1 if the billing database can answer' },
    ofLatest(({ replica }) => [[replica.ok ? 1 : 0]]),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_replica_lag_seconds', help: 'Replication lag of the billing database. Absent if unknown' },
    ofLatest(({ replica }) => (replica.lag_seconds === null ? [] : [[replica.lag_seconds]])),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_store_up', help: '1 if the Plumbline database can answer. Absent if switched off' },
    ofLatest(({ store }) => (store.ok === null ? [] : [[store.ok ? 1 : 0]])),
  )
  const ofSources = (name: string, help: string, read: (sources: NonNullable<Readiness['checks']['sources']>) => number) =>
    gaugeOf(
      registry,
      { name: `plumbline_sources_${name}`, help },
      ofLatest(({ sources }) => (sources === undefined ? [] : [[read(sources)]])),
    )
  ofSources('waiting', 'Notifications waiting to be processed', ({ waiting }) => waiting)
  ofSources('dead_letters', 'Notifications that were given up', ({ dead_letters }) => dead_letters)
  ofSources('to_reconnect', 'Sources that must be reconnected', ({ needs_reconnect }) => needs_reconnect.length)
  ofSources('oldest_waiting_age_seconds', 'Age of the oldest waiting notification', ({ oldest_waiting_at: at }) =>
    at === null ? 0 : (Date.now() - Date.parse(at)) / 1_000,
  )
  gaugeOf(registry, { name: 'plumbline_readiness_timestamp_seconds', help: 'Time of the last readiness check' }, () => {
    const known = latest()
    return known === undefined ? [] : [[known.at.getTime() / 1_000]]
  })
}

type Figures = NonNullable<ReturnType<Engine['statistics']>['sources']>

/** Work of this process for expense sources. Absent if the engine cannot have expense sources. */
export function sourceFigures(registry: Registry, engine: Pick<Engine, 'statistics'>): void {
  const count = (name: string, help: string, read: (figures: Figures) => readonly Sample[], labels: readonly string[] = []) =>
    counterOf(registry, { name: `plumbline_sources_${name}_total`, help, labels }, () => {
      const { sources } = engine.statistics()
      return sources === undefined ? [] : read(sources)
    })
  const byOutcome = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([outcome, counted]): Sample => [counted, { outcome }])

  count('notifications', 'Notifications received from accounting platforms', ({ notifications }) => [[notifications]])
  count('attempts', 'Attempts to process a notification. dead: given up', ({ attempts }) => byOutcome(attempts), ['outcome'])
  count('runs', 'Backfills and reads of changes', ({ runs }) => byOutcome(runs), ['outcome'])
  count('changed_records', 'Records changed by them', ({ changed }) => [[changed]])
}

export type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>]

interface Described {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** A gauge whose samples are read at each scrape. Without samples it is absent. */
export function gaugeOf(registry: Registry, described: Described, read: () => readonly Sample[]): void {
  const gauge: Gauge = new Gauge(settings(described, () => collect(gauge, described, read(), gauge.set.bind(gauge))))
  registry.registerMetric(gauge)
}

/** A counter whose value is counted elsewhere and read at each scrape. */
export function counterOf(registry: Registry, described: Described, read: () => readonly Sample[]): void {
  const counter: Counter = new Counter(settings(described, () => collect(counter, described, read(), counter.inc.bind(counter))))
  registry.registerMetric(counter)
}

function settings({ name, help, labels = [] }: Described, collectNow: () => void) {
  return { name, help, labelNames: [...labels], registers: [], collect: collectNow }
}

function collect(
  figure: Gauge | Counter,
  { labels = [] }: Described,
  samples: readonly Sample[],
  add: (labels: Readonly<Record<string, string>>, value: number) => void,
): void {
  figure.reset()
  // A reset of a metric without labels leaves a sample of 0, so remove it.
  if (labels.length === 0) figure.remove()
  for (const [value, of = {}] of samples) add(of, value)
}
