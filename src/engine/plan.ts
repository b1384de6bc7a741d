import { AppError } from '../core/errors.ts'
import type { MetricDefinition, MetricQuery } from '../metrics/define-metric.ts'
import { type Registry, unknownMetric } from '../metrics/registry.ts'
import { audienceFilters } from '../query/audience.ts'
import type { Vocabulary } from '../query/audience-request.ts'
import { collectIssues, refuse } from '../query/issues.ts'
import type { Raw } from '../query/raw-parameters.ts'
import { single } from '../query/raw-parameters.ts'
import { fieldsOf, parseRequest, type QueryRequest } from '../query/request.ts'
import type { Warning } from '../query/warning.ts'
import { type CapabilityOf, checkSupported, inferredWarning, offerOf, unsupported } from './capability.ts'
import { LISTED_METRICS, METRIC_NAMES } from './catalog-of-metrics.ts'

/** A query whose request has been checked. */
export interface PlannedQuery {
  readonly definition: MetricDefinition
  readonly name: string
  readonly query: MetricQuery
  readonly request: QueryRequest
  readonly warnings: readonly Warning[]
}

/** From names and raw parameters to a checked query; asks no database. */
export interface Planner {
  /** Undefined for a metric that is listed and not built. AppError `unknown_metric`. */
  find(metric: string): MetricDefinition | undefined
  /** The metrics that are built. */
  built(): readonly MetricDefinition[]
  /** AppError `unknown_metric` or `unsupported_by_connector`. */
  supported(metric: string): MetricDefinition
  /** AppError with every issue of the request; without a vocabulary those that need nothing looked up. */
  plan(metric: string, params: Raw, spec: Raw, now: Date, vocabulary?: Vocabulary): PlannedQuery
}

/** A planner for what one connector supplies. */
export function createPlanner(registry: Registry, connector: string, capabilityOf: CapabilityOf): Planner {
  const find = (metric: string): MetricDefinition | undefined => {
    if (!METRIC_NAMES.includes(metric)) throw unknownMetric(metric, METRIC_NAMES)
    return registry.metrics.get(metric)
  }
  const supported = (metric: string): MetricDefinition => {
    const definition = find(metric)
    if (definition === undefined) throw unsupported(metric, connector, LISTED_METRICS[metric] ?? [])
    checkSupported(definition, connector, capabilityOf)
    return definition
  }
  return {
    find,
    built: () => [...registry.metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    supported,
    plan(metric, params, spec, now, vocabulary) {
      const definition = supported(metric)
      const { name, query } = chooseQuery(definition, params, spec)
      const offer = offerOf(query.offer, capabilityOf)
      const request = parseRequest(params, spec, offer, now, vocabulary)
      const fields = [...fieldsOf(request), ...audienceFilters(request.audience).map(({ field }) => field)]
      const warnings = [...request.warnings, ...inferredWarning(definition, fields, capabilityOf)]
      return { definition, name, query, request, warnings }
    },
  }
}

function chooseQuery(definition: MetricDefinition, params: Raw, spec: Raw): { name: string; query: MetricQuery } {
  const { report, issues } = collectIssues()
  const raw = single(params['query_type'], 'params.query_type', report)
  const available = Object.keys(definition.queries).sort()
  const isKnown = raw === undefined || (typeof raw === 'string' && available.includes(raw))
  const [issue] = issues
  if (issue !== undefined) throw new AppError(issue.code, issue.message, { issues })
  if (!isKnown) {
    throw refuse('invalid_value', 'params.query_type', `Unknown query type of "${definition.name}".`, {
      value: raw,
      known: available,
      context: { available },
    })
  }
  const name = definition.choose(typeof raw === 'string' ? raw : undefined, params, spec)
  const query = definition.queries[name]
  if (query === undefined) throw new AppError('internal', `metric "${definition.name}" has no query "${name}"`)
  return { name, query }
}
