import { AppError } from '../../core/errors.ts'
import { monthName } from '../../core/periods.ts'
import { rowInputsOf } from '../../metrics/answer-schema.ts'
import type { MetricDefinition, MetricQuery } from '../../metrics/define-metric.ts'
import { placeOf, unknownMetric } from '../../metrics/figure-words.ts'
import type { Registry } from '../../metrics/registry.ts'
import { audienceFilters } from '../../query/audience.ts'
import type { ResolvedNames } from '../../query/audience-request.ts'
import { acceptedParameters, type QueryInputs, typesOf, usedParameters } from '../../query/inputs.ts'
import { collectIssues, mustBe, oneOf, throwIssues } from '../../query/issues.ts'
import { choice, rowsAtMost } from '../../query/parameter-types.ts'
import { PARAMETERS } from '../../query/parameters.ts'
import { type AcceptedParameters, isAbsent, type Raw, readValue } from '../../query/raw-parameters.ts'
import { fieldsOf, parseRequest, type QueryRequest } from '../../query/request.ts'
import { readRows } from '../../query/rows-request.ts'
import { timeAt } from '../../query/timeframe.ts'
import type { Warning } from '../../query/warning.ts'
import { type CapabilityOf, checkQuery, checkSupported, inferredWarning, neededBy, offerOf, readsOf } from './capability.ts'

/** A query whose request has been checked. */
export interface PlannedQuery {
  readonly definition: MetricDefinition
  readonly name: string
  readonly query: MetricQuery
  readonly request: QueryRequest
  readonly warnings: readonly Warning[]
  /** The spec without its dates. It also applies to the metrics that this metric is built on. */
  readonly scope: Raw
  /** The request before it was parsed. */
  readonly raw: { readonly params: Raw; readonly spec: Raw }
  /** The meaning of the names in the spec. Undefined if the spec names nothing. */
  readonly resolvedNames: ResolvedNames | undefined
}

/** Turns names and raw parameters into a checked query, without a database. */
export interface Planner {
  /** AppError `unknown_metric`. */
  find(metric: string): MetricDefinition
  /** The relations that a query of the metric needs. Those of the metric if the parameters name no query. */
  readsOf(metric: string, params: Raw, spec: Raw): readonly string[]
  /** The metrics that discovery lists. */
  built(): readonly MetricDefinition[]
  /** AppError `unknown_metric` or `unsupported_by_connector`. */
  supported(metric: string): MetricDefinition
  /** Like `supported`, for the metrics that discovery lists: no overview. */
  listed(metric: string): MetricDefinition
  /**
   * Throws AppError with every issue of the request. Without `resolvedNames`, it reports only the issues that need no look-up.
   */
  plan(metric: string, params: Raw, spec: Raw, now: Date, resolvedNames?: ResolvedNames): PlannedQuery
  /** The plan at another instant of the same day. The plan must name no attribute and no segment. */
  planAt(planned: PlannedQuery, now: Date): PlannedQuery
  /** Plans the query for the earlier days of a comparison, without order and page. */
  earlier(planned: PlannedQuery, now: Date): PlannedQuery
}

/** Limits of requests that the installation sets. */
interface PlannerLimits {
  readonly max_rows: number
  /** Names of the definition sets. */
  readonly sets: readonly string[]
}

/** Inputs, parameters and columns of a query under one connector. */
interface Offer {
  readonly inputs: QueryInputs
  readonly taken: AcceptedParameters
  readonly rows: ReturnType<typeof rowInputsOf>
}

/** A planner for what one connector supplies. */
export function createPlanner(registry: Registry, connector: string, capabilityOf: CapabilityOf, limits: PlannerLimits): Planner {
  const listed = registry.names.flatMap((name) => registry.metrics.get(name) ?? [])
  const all = [...listed, ...[...registry.metrics.values()].filter((metric) => !listed.includes(metric))]
  const find = (metric: string): MetricDefinition => {
    const definition = registry.metrics.get(metric)
    if (definition === undefined) throw unknownMetric(metric, all)
    return definition
  }
  const supported = (metric: string): MetricDefinition => {
    const definition = find(metric)
    checkSupported(definition, connector, capabilityOf)
    return definition
  }
  const offers = new WeakMap<MetricQuery, Offer>()
  /** The offer of a query, made once: it is the same for all requests. */
  const offerFor = (definition: MetricDefinition, name: string, query: MetricQuery): Offer => {
    const known = offers.get(query)
    if (known !== undefined) return known
    checkQuery(definition, name, query, connector, capabilityOf)
    const inputs = offerOf(query.inputs, capabilityOf)
    const offer = { inputs, taken: takenBy(inputs, limits), rows: rowInputsOf(definition, query) }
    offers.set(query, offer)
    return offer
  }
  const plan: Planner['plan'] = (metric, params, spec, now, resolvedNames) => {
    const definition = supported(metric)
    const { name, query } = chooseQuery(definition, params, spec, all)
    const { inputs, taken, rows } = offerFor(definition, name, query)
    const request = parseRequest(params, spec, inputs, now, resolvedNames, takenIn(definition, taken, params), (asked, report) =>
      readRows(asked, inputs, rows, report),
    )
    const fields = [...fieldsOf(request), ...audienceFilters(request.audience).map(({ field }) => field)]
    const warnings = [...request.warnings, ...inferredWarning(readsOf(definition, query), fields, capabilityOf)]
    return { definition, name, query, request, warnings, scope: scopeOf(params, spec), raw: { params, spec }, resolvedNames }
  }
  return {
    find,
    readsOf(metric, params, spec) {
      const definition = find(metric)
      const named = readValue(PARAMETERS.query_type.type, params['query_type'], 'params.query_type', () => {})
      const name = definition.choose(definition.is_overview === true ? undefined : named?.value, params, spec)
      const query = Object.hasOwn(definition.queries, name) ? definition.queries[name] : undefined
      return neededBy(definition, query)
    },
    built: () => listed,
    supported,
    listed(metric) {
      if (!registry.names.includes(metric)) throw unknownMetric(metric, all)
      return supported(metric)
    },
    plan,
    planAt: (planned, now) => {
      const { request } = planned
      // The horizon of a forecast is the same all day.
      return { ...planned, request: { ...request, time: timeAt(request.time, request.until ?? now) } }
    },
    earlier({ definition, query, request, raw, resolvedNames }, now) {
      const params = Object.fromEntries(Object.entries(raw.params).filter(([name]) => !OF_TIME_OR_ROWS.includes(name)))
      const { time_range: _range, ...spec } = raw.spec
      const days = request.rows?.compared?.days
      const isMonth = query.inputs.dates === 'month' && days !== undefined && 'start' in days
      return plan(
        definition.name,
        { ...params, ...(isMonth ? { period: monthName(days.start) } : days) },
        spec,
        now,
        resolvedNames,
      )
    },
  }
}

/**
 * Parameters that the earlier query of a comparison does not get. The earlier days replace its dates. Order and page apply to the
 * compared rows.
 */
const OF_TIME_OR_ROWS: readonly string[] = [
  ...['at', 'start', 'end', 'range', 'period'],
  ...['compare_to', 'order', 'limit', 'offset', 'rest'],
]

function scopeOf({ segment }: Raw, { time_range: _range, granularity: _granularity, ...scope }: Raw): Raw {
  return isAbsent(segment) ? scope : { segment, ...scope }
}

function takenBy(inputs: QueryInputs, { max_rows, sets }: PlannerLimits): AcceptedParameters {
  const rows = inputs.own_parameters.includes('limit') ? {} : { limit: rowsAtMost(max_rows) }
  const types = { definitions: choice(sets), ...rows, ...typesOf(inputs) }
  return { own: usedParameters(inputs), accepted: acceptedParameters(inputs), types }
}

// An overview has one query. If `query_type` names another query, it is an unknown parameter, reported with all other issues.
function takenIn({ is_overview, queries }: MetricDefinition, taken: AcceptedParameters, params: Raw): AcceptedParameters {
  if (is_overview !== true || Object.keys(queries).some((name) => name === params['query_type'])) return taken
  return { ...taken, own: taken.own.filter((name) => name !== 'query_type') }
}

function chooseQuery(
  definition: MetricDefinition,
  params: Raw,
  spec: Raw,
  metrics: readonly MetricDefinition[],
): { name: string; query: MetricQuery } {
  const named = definition.is_overview === true ? undefined : readQueryType(definition, params, metrics)
  const name = definition.choose(named, params, spec)
  const query = definition.queries[name]
  if (query === undefined) throw new AppError('internal', `metric "${definition.name}" has no query "${name}"`)
  return { name, query }
}

/**
 * The name of the query. AppError if the metric has no query of this name. Other issues are not reported then, because they
 * depend on the query.
 */
function readQueryType(definition: MetricDefinition, params: Raw, metrics: readonly MetricDefinition[]): string | undefined {
  const { queries } = definition
  const { report, issues } = collectIssues()
  const available = Object.keys(queries).sort()
  const given = readValue(PARAMETERS.query_type.type, params['query_type'], 'params.query_type', report)
  if (given !== undefined && !available.includes(given.value)) {
    // A query of another metric is not a misspelt one of this metric.
    const { sentence } = placeOf(given.value, metrics, definition)
    report('invalid_value', given.where, `${mustBe('query_type', oneOf(available), given.value)}${sentence}`, {
      value: given.value,
      ...(sentence === '' ? { known: available } : {}),
      context: { available },
    })
  }
  throwIssues(issues)
  return given?.value
}
