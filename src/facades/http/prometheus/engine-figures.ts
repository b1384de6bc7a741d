import { Counter, Gauge, type Registry } from 'prom-client'
import type { Engine, Readiness } from '../../../engine/engine.ts'

type Statistics = ReturnType<Engine['statistics']>
type QueueLoad = NonNullable<Statistics['queues']['replica']>

const QUEUE_GAUGES: readonly (readonly [name: string, help: string, read: (load: QueueLoad) => number])[] = [
  ['plumbline_queue_running', 'Snapshots open', (load) => load.running],
  ['plumbline_queue_size', 'Snapshots that may be open', (load) => load.size],
  ['plumbline_queue_waiting', 'Requests waiting for a snapshot', (load) => load.waiting],
  ['plumbline_queue_waiting_limit', 'Requests that may wait for a snapshot', (load) => load.queue_size],
]

const CACHE_STATES = ['idle', 'filling', 'ready', 'failed'] as const

/** Loads and counters of the engine in a registry: read from memory, no database is asked. */
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
    { name: 'plumbline_cache_status', help: '1 at the status that the cache has', labels: ['status'] },
    ofCache(({ status }) => CACHE_STATES.map((each) => [each === status ? 1 : 0, { status: each }])),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_cache_accounts', help: 'Accounts held, or read so far' },
    ofCache(({ accounts }) => [[accounts]]),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_cache_snapshot_age_seconds', help: 'Age of the snapshot that the cache was brought up to last' },
    ofCache(({ snapshot_at }) => (snapshot_at === null ? [] : [[(Date.now() - Date.parse(snapshot_at)) / 1_000]])),
  )
  counterOf(
    registry,
    { name: 'plumbline_cache_answered_total', help: 'Requests answered from the cache' },
    ofCache(({ answered }) => [[answered]]),
  )
  counterOf(
    registry,
    { name: 'plumbline_cache_declined_total', help: 'Requests that the cache left to the replica', labels: ['reason'] },
    ofCache(({ declined }) => Object.entries(declined).map(([reason, count]) => [count, { reason }])),
  )
}

/** Replica and store as they were found last, in a registry. */
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
    { name: 'plumbline_replica_up', help: 'Whether the billing database can answer' },
    ofLatest(({ replica }) => [[replica.ok ? 1 : 0]]),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_replica_lag_seconds', help: 'How far behind its primary the billing database is; absent if unknown' },
    ofLatest(({ replica }) => (replica.lag_seconds === null ? [] : [[replica.lag_seconds]])),
  )
  gaugeOf(
    registry,
    { name: 'plumbline_store_up', help: 'Whether the side store can answer; absent if switched off' },
    ofLatest(({ store }) => (store.ok === null ? [] : [[store.ok ? 1 : 0]])),
  )
  const ofSources = (name: string, help: string, read: (sources: NonNullable<Readiness['checks']['sources']>) => number) =>
    gaugeOf(
      registry,
      { name: `plumbline_sources_${name}`, help },
      ofLatest(({ sources }) => (sources === undefined ? [] : [[read(sources)]])),
    )
  ofSources('waiting', 'Notifications that wait to be worked off', ({ waiting }) => waiting)
  ofSources('dead_letters', 'Notifications that were given up', ({ dead_letters }) => dead_letters)
  ofSources('to_reconnect', 'Sources that have to be connected again', ({ needs_reconnect }) => needs_reconnect.length)
  ofSources('oldest_waiting_age_seconds', 'Age of the notification that waits longest', ({ oldest_waiting_at: at }) =>
    at === null ? 0 : (Date.now() - Date.parse(at)) / 1_000,
  )
  gaugeOf(registry, { name: 'plumbline_readiness_timestamp_seconds', help: 'When replica and store were looked at last' }, () => {
    const known = latest()
    return known === undefined ? [] : [[known.at.getTime() / 1_000]]
  })
}

type Figures = NonNullable<ReturnType<Engine['statistics']>['sources']>

/** What this process has done for sources of books, in a registry; absent where there can be none. */
export function sourceFigures(registry: Registry, engine: Pick<Engine, 'statistics'>): void {
  const count = (name: string, help: string, read: (figures: Figures) => readonly Sample[], labels: readonly string[] = []) =>
    counterOf(registry, { name: `plumbline_sources_${name}_total`, help, labels }, () => {
      const { sources } = engine.statistics()
      return sources === undefined ? [] : read(sources)
    })
  const byOutcome = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([outcome, counted]): Sample => [counted, { outcome }])

  count('notifications', 'Notifications of accounting platforms taken in', ({ notifications }) => [[notifications]])
  count('attempts', 'Attempts to work a notification off; dead: given up', ({ attempts }) => byOutcome(attempts), ['outcome'])
  count('runs', 'Backfills and readings of changes', ({ runs }) => byOutcome(runs), ['outcome'])
  count('changed_records', 'Records that these have changed', ({ changed }) => [[changed]])
}

export type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>]

interface Described {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** A gauge whose samples are read when it is scraped; without samples it is absent. */
function gaugeOf(registry: Registry, described: Described, read: () => readonly Sample[]): void {
  const gauge: Gauge = new Gauge(settings(described, () => collect(gauge, described, read(), gauge.set.bind(gauge))))
  registry.registerMetric(gauge)
}

/** The same for what only grows and is counted elsewhere. */
function counterOf(registry: Registry, described: Described, read: () => readonly Sample[]): void {
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
  // Without labels a reset leaves a zero behind.
  if (labels.length === 0) figure.remove()
  for (const [value, of = {}] of samples) add(of, value)
}
