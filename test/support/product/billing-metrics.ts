import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { MetricDefinition } from '../../../src/metrics/define-metric.ts'

/** Metric of the side store alone, whose tests are test/engine/expenses and test/property/expenses-beside-loops. */
export const OF_THE_STORE = 'expenses'

/** The product's metrics that read the billing database. */
export const BILLING_METRICS: readonly MetricDefinition[] = [...builtInRegistry().metrics.values()].filter(
  ({ name }) => name !== OF_THE_STORE,
)

/** Metrics of the books and of failed payments. Their statements take long, many connectors lack their relations, and no metric is compared with them. */
const OF_BOOKS: readonly string[] = ['ledger', 'involuntary_churn']

/** Those of `BILLING_METRICS` that every connector supplies. */
export const MAIN_METRICS = BILLING_METRICS.filter(({ name }) => !OF_BOOKS.includes(name))

/** All metrics without those of the books, but with this one. */
export function mainMetrics(metric?: string): readonly MetricDefinition[] {
  return [...builtInRegistry().metrics.values()].filter(({ name }) => name === metric || !OF_BOOKS.includes(name))
}
