import { Counter, Gauge, type Registry } from 'prom-client'

export type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>]

interface Described {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** A gauge whose samples are read when it is scraped; without samples it is absent. */
export function gaugeOf(registry: Registry, described: Described, read: () => readonly Sample[]): void {
  const gauge: Gauge = new Gauge(settings(described, () => collect(gauge, described, read(), gauge.set.bind(gauge))))
  registry.registerMetric(gauge)
}

/** The same for what only grows and is counted elsewhere. */
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
  // Without labels a reset leaves a zero behind.
  if (labels.length === 0) figure.remove()
  for (const [value, of = {}] of samples) add(of, value)
}
