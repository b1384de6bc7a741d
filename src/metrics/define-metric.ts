import { InternalError } from '../core/errors.ts'
import type { Field } from '../query/field.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { MetricQuery } from './define-query.ts'
import { defineRoute, type MetricRoute, type RouteSource } from './routes.ts'

export type { MetricQuery } from './define-query.ts'
export type {
  MetricContext,
  MetricResult,
  TemplateRun,
} from './readings/context.ts'
export type { MetricCommand, MetricRoute } from './routes.ts'

export interface MetricDocs {
  readonly formula: string
  readonly assumptions: readonly string[]
  readonly edge_cases: readonly string[]
  /** A worked example whose numbers a test executes on the example of definitions.md 17. */
  readonly example: {
    readonly text: string
    readonly params: Raw
    readonly spec?: Raw
    readonly answer: unknown
  }
}

/** A metric: its queries, and the routes, commands, documents and discovery that follow from them. */
export interface MetricDefinition<Name extends string = string> {
  readonly name: string
  readonly summary: string
  /** It shows figures of other metrics at a glance and has a route of its own: discovery does not list it. */
  readonly is_overview?: true
  readonly depends_on: readonly string[]
  /** Base relations without which no query can be answered. */
  readonly reads: readonly string[]
  readonly time_fields: readonly Field[]
  /** By `query_type`; the first is asked where none is named. */
  readonly queries: Readonly<Record<Name, MetricQuery>>
  /** Query for the parameters given; called with a `query_type` of `queries` or none. */
  choose(query_type: string | undefined, params: Raw, spec: Raw): string
  readonly routes: readonly MetricRoute[]
  readonly docs: MetricDocs
}

/** A metric as it is written down. */
interface MetricSource<Name extends string> extends Omit<MetricDefinition<Name>, 'choose' | 'routes'> {
  /** Where other parameters choose among the queries too; undefined leaves it at the one named, or the first. */
  readonly choose?: (query_type: NoInfer<Name> | undefined, params: Raw, spec: Raw) => NoInfer<Name> | undefined
  readonly routes: readonly RouteSource<NoInfer<Name>>[]
}

/** A frozen definition with all that follows from the source. InternalError where a route stands for no query. */
export function defineMetric<const Name extends string>(source: MetricSource<Name>): MetricDefinition<Name> {
  const queries: MetricDefinition['queries'] = source.queries
  const names = Object.keys(queries) as Name[]
  const [first = ''] = names
  return Object.freeze({
    ...source,
    choose: (query_type: string | undefined, params: Raw, spec: Raw) =>
      source.choose?.(
        names.find((name) => name === query_type),
        params,
        spec,
      ) ??
      query_type ??
      first,
    routes: source.routes.map((route) => {
      const query = queries[route.query_type ?? first]
      if (query === undefined) throw new InternalError(`the route "${route.path}" names no query`)
      return defineRoute(route, query)
    }),
  })
}
