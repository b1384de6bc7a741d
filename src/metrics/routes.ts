import { acceptedParameters, filterableFields, groupableFields, needsRange, type QueryInputs, typesOf } from '../query/inputs.ts'
import { rowsAtMost } from '../query/parameter-types.ts'
import { PARAMETERS, type ParameterDefinition, type ParameterName } from '../query/parameters.ts'
import type { MetricQuery } from './define-query.ts'

/** A path below /api/metrics with its query and its command. */
export interface MetricRoute {
  /** Path tail, `mrr/breakdown`. */
  readonly path: string
  /** Fixed `query_type`; undefined if the metric chooses by the parameters. */
  readonly query_type: string | undefined
  readonly summary: string
  readonly params: readonly ParameterDefinition[]
  /** Undefined if there is no command for the route. */
  readonly command: MetricCommand | undefined
}

/** The command of a route. */
export interface MetricCommand {
  /** Full names, such as `mrr breakdown`. The first follows from the path by default. */
  readonly names: readonly string[]
  readonly description: string
  /** Names of the parameters with options. */
  readonly parameters: readonly string[]
  /** Parameters that are required unless `range` is given. */
  readonly required: readonly string[]
  /** Dimensions to group by. */
  readonly dimensions: readonly string[]
  /** Keys to filter by. */
  readonly filters: readonly string[]
}

/** Declaration of a route. Everything omitted follows from the query. */
export interface RouteSource<Name extends string> {
  /** Path tail, such as `mrr/breakdown`. The command name follows from it, with spaces for slashes. */
  readonly path: string
  /** Fixed query. By default the metric chooses, or takes its first. */
  readonly query_type?: Name
  /** By default the summary of the query. */
  readonly summary?: string
  /** Descriptions of parameters that have a different meaning on this path. */
  readonly words?: { readonly [Name in ParameterName]?: string }
  /** Inputs of a path that serves several queries; by default the inputs of its query. */
  readonly inputs?: QueryInputs
  /** False if the route has no command. */
  readonly command?: CommandSource | false
}

/** Declaration of a command. */
interface CommandSource {
  /** The name, if it is not that of the path. */
  readonly named?: string
  /** By default the summary of the route. */
  readonly description?: string
  /** True if it has the option `--interval`; by default if the query has intervals. */
  readonly takes_interval?: boolean
  /** A second name of the command. */
  readonly also_named?: string
}

const UNION =
  'Ids or exact names of up to 10 segments. Repeatable. There is one answer for the customers of any of them, each counted once.'

const ROWS_SHOWN = {
  type: rowsAtMost(Number.MAX_SAFE_INTEGER),
  description: 'Most rows to show, from 1 to `limits.max_rows`. Default: all.',
}

/** Defines a route and its command. Their parameters follow from the inputs of the query. */
export function defineRoute<Name extends string>(source: RouteSource<Name>, query: MetricQuery): MetricRoute {
  const { path, query_type, summary = query.summary, inputs = query.inputs, words = {}, command = {} } = source
  const params = acceptedParameters(inputs).map((name) => routeParameter(name, inputs, words[name]))
  return Object.freeze({
    path,
    query_type,
    summary,
    params,
    command: command === false ? undefined : commandOf(path, { description: summary, ...command }, params, inputs),
  })
}

function routeParameter(name: ParameterName, inputs: QueryInputs, description?: string): ParameterDefinition {
  return {
    ...PARAMETERS[name],
    ...(name === 'limit' && !inputs.own_parameters.includes(name) ? ROWS_SHOWN : {}),
    ...(name === 'compare_segments' && inputs.compare === 'union' ? { description: UNION } : {}),
    ...(name === 'period' ? monthParameter(inputs) : {}),
    ...(description === undefined ? {} : { description }),
  }
}

function monthParameter(inputs: QueryInputs) {
  const { period } = typesOf(inputs)
  if (period === undefined) return {}
  return { type: period, description: 'The month (YYYY-MM). It has been over for a day. Default: the last such month.' }
}

function commandOf(
  path: string,
  {
    named = path.replaceAll('/', ' ').replaceAll('_', '-'),
    description,
    takes_interval,
    also_named,
  }: CommandSource & { readonly description: string },
  params: readonly ParameterDefinition[],
  inputs: QueryInputs,
): MetricCommand {
  const names = params.map(({ name }) => name)
  const takesInterval = takes_interval ?? names.includes('interval')
  const steps = takesInterval ? ['interval'] : []
  return {
    names: [named, ...(also_named === undefined ? [] : [also_named])],
    description,
    parameters: names.filter((name) => name !== 'interval').flatMap((name) => (name === 'end' ? [name, ...steps] : [name])),
    required: needsRange(inputs) ? ['start', 'end'] : [],
    dimensions: groupableFields(inputs, true).map(({ key }) => key),
    filters: filterableFields(inputs, true).map(({ key }) => key),
  }
}
