import { builtInRegistry } from '../../../src/metrics/built-in.ts'
import type { MetricDefinition } from '../../../src/metrics/define-metric.ts'

/** Metric of the side store alone, whose tests are test/engine/expenses and test/property/expenses-beside-loops. */
export const OF_THE_STORE = 'expenses'

/** The product's metrics that read the billing database. */
export const BILLING_METRICS: readonly MetricDefinition[] = [...builtInRegistry().metrics.values()].filter(
  ({ name }) => name !== OF_THE_STORE,
)
