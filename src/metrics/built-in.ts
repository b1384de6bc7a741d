import type { OwnDimension } from '../query/own-dimension.ts'
import { metric as churn } from './churn/index.ts'
import type { MetricDefinition } from './define-metric.ts'
import { metric as expenses } from './expenses/index.ts'
import { metric as involuntaryChurn } from './involuntary-churn/index.ts'
import { metric as ledger } from './ledger/index.ts'
import { metric as ltv } from './ltv/index.ts'
import { metric as mrr } from './mrr/index.ts'
import { createRegistry, type Registry, widenMetrics } from './registry.ts'
import { metric as retention } from './retention/index.ts'
import { metric as summary } from './summary/index.ts'
import { metric as trials } from './trials/index.ts'
import { metric as usageRevenue } from './usage-revenue/index.ts'

/**
 * The built-in metrics, in the order of the command line. To add one, create a folder next to this file and one of the same name in
 * sql/metrics, and list it here.
 */
export const BUILT_IN_METRICS: readonly MetricDefinition[] = [
  mrr,
  churn,
  involuntaryChurn,
  retention,
  ltv,
  trials,
  usageRevenue,
  ledger,
  expenses,
  summary,
]

/** True for the name of a built-in metric. */
export function isBuiltIn(metric: string): boolean {
  return BUILT_IN_METRICS.some(({ name }) => name === metric)
}

/** Registry of the built-in metrics and those of an embedder, with its dimensions. InternalError if they conflict. */
export function builtInRegistry(others: readonly MetricDefinition[] = [], dimensions: readonly OwnDimension[] = []): Registry {
  return createRegistry(widenMetrics([...BUILT_IN_METRICS, ...others], dimensions))
}
