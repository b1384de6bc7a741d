import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { MetricDefinition } from '../../../src/metrics/define-metric.ts'

/** Metric of the side store alone, whose tests are test/engine/expenses and test/property/expenses-beside-loops. */
export const OF_THE_STORE = 'expenses'

/** The product's metrics that read the billing database. */
export const BILLING_METRICS: readonly MetricDefinition[] = [...builtInRegistry().metrics.values()].filter(
  ({ name }) => name !== OF_THE_STORE,
)

/** Those of them that a cache may answer. */
export const CACHED_METRICS = BILLING_METRICS.filter(({ reads_replica }) => reads_replica !== true)

/** A metric and those that a cache may answer. The others, the ledger, take long, and no metric is compared with them. */
export function cachedMetrics(metric?: string): readonly MetricDefinition[] {
  return [...builtInRegistry().metrics.values()].filter(({ name, reads_replica }) => name === metric || reads_replica !== true)
}
