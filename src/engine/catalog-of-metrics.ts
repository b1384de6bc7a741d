import { discoverMetrics } from '../metrics/registry.ts'

/** All metrics that are built, found at start. */
export const REGISTRY = await discoverMetrics()

/** Relations that the listed metrics need which are not built yet: each is answered with `unsupported_by_connector`. */
export const LISTED_METRICS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  churn: ['customer_activity'],
  expenses: ['expense_line'],
  ltv: ['invoice'],
  mrr: ['mrr_span'],
  retention: ['cohort'],
  trials: ['trial'],
  usage_revenue: ['usage_charge'],
})

/** Names of all metrics, ascending (http-api.md 2). */
export const METRIC_NAMES: readonly string[] = Object.freeze(
  [...new Set([...Object.keys(LISTED_METRICS), ...REGISTRY.metrics.keys()])].sort(),
)
