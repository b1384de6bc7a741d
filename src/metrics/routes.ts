import { acceptedParameters, filterableFields, groupableFields, type QueryInputs } from '../query/inputs.ts'
import { PARAMETERS, type ParameterDefinition, type ParameterName, rowsAtMost } from '../query/parameters.ts'
import type { MetricQuery } from './define-query.ts'

/** A path below /api/metrics, the query it stands for and the command that asks the same. */
export interface MetricRoute {
  /** Path tail, `mrr/breakdown`. */
  readonly path: string
  /** Fixed `query_type`; undefined where the metric chooses by the parameters. */
  readonly query_type: string | undefined
  readonly summary: string
  readonly params: readonly ParameterDefinition[]
  /** Undefined where the command line does not ask this. */
  readonly command: MetricCommand | undefined
}

/** A command of the command line that asks what a route asks. */
export interface MetricCommand {
  /** Full names, `mrr breakdown`: the first follows from the path. */
  readonly names: readonly string[]
  readonly description: string
  /** Names of the parameters that it has options for. */
  readonly parameters: readonly string[]
  /** Those of them that must be given, unless `range` is. */
  readonly required: readonly string[]
  /** Names that it groups by. */
  readonly dimensions: readonly string[]
  /** Keys that it filters by. */
  readonly filters: readonly string[]
}

/** A route as a metric declares it. What is not said follows from the query. */
export interface RouteSource<Name extends string> {
  /** Path tail, `mrr/breakdown`; with blanks for slashes and hyphens it is the name of the command. */
  readonly path: string
  /** The query it always asks; without it the metric chooses, by default its first. */
  readonly query_type?: Name
  /** By default the summary of the query. */
  readonly summary?: string
  /** What parameters mean on this path, where that is another sense than theirs. */
  readonly words?: { readonly [Name in ParameterName]?: string }
  /** What the path takes, where it stands for several queries; by default what the query offers. */
  readonly inputs?: QueryInputs
  /** False where there is no such command. */
  readonly command?: CommandSource | false
}

/** What is to be said of the command besides its route. */
interface CommandSource {
  /** By default the summary of the route. */
  readonly description?: string
  /** Whether it has the option `--interval`; by default where the query offers intervals. */
  readonly takes_interval?: boolean
  /** A further command of the same meaning. */
  readonly also_named?: string
}

const OPTIONAL_DAYS: readonly QueryInputs['dates'][] = ['point_or_range', 'day_or_range', 'open_range']

const UNION =
  'Ids or exact names of up to 10 segments. Repeatable. There is one answer for the customers of any of them, each counted once.'

const ROWS_SHOWN = {
  type: rowsAtMost(Number.MAX_SAFE_INTEGER),
  description: 'Most rows to show, from 1 to `limits.max_rows`. Default: all.',
}

/** Route and command whose parameters follow from what the query offers. */
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
    ...(description === undefined ? {} : { description }),
  }
}

function commandOf(
  path: string,
  { description, takes_interval, also_named }: CommandSource & { readonly description: string },
  params: readonly ParameterDefinition[],
  inputs: QueryInputs,
): MetricCommand {
  const names = params.map(({ name }) => name)
  const takesInterval = takes_interval ?? names.includes('interval')
  const steps = takesInterval ? ['interval'] : []
  return {
    names: [path.replaceAll('/', ' ').replaceAll('_', '-'), ...(also_named === undefined ? [] : [also_named])],
    description,
    parameters: names.filter((name) => name !== 'interval').flatMap((name) => (name === 'end' ? [name, ...steps] : [name])),
    required: OPTIONAL_DAYS.includes(inputs.dates) ? [] : ['start', 'end'],
    dimensions: groupableFields(inputs, true).map(({ key }) => key),
    filters: filterableFields(inputs, true).map(({ key }) => key),
  }
}
