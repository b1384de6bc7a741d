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
  /** A worked example. A test runs it on the data of definitions.md 17. */
  readonly example: {
    readonly text: string
    readonly params: Raw
    readonly spec?: Raw
    readonly answer: unknown
  }
}

/** A metric. Routes, commands, documents and discovery follow from its queries. */
export interface MetricDefinition<Name extends string = string> {
  readonly name: string
  readonly summary: string
  /** Other names of the metric, with `_` for blanks. */
  readonly words?: readonly string[]
  /** True for an overview of other metrics' figures. It has a separate route, and discovery does not list it. */
  readonly is_overview?: true
  readonly depends_on: readonly string[]
  /** Base relations that every query needs. */
  readonly reads: readonly string[]
  readonly time_fields: readonly Field[]
  /** Queries by `query_type`. The first is the default. */
  readonly queries: Readonly<Record<Name, MetricQuery>>
  /** The query for these parameters. `query_type` is a key of `queries` or undefined. */
  choose(query_type: string | undefined, params: Raw, spec: Raw): string
  readonly routes: readonly MetricRoute[]
  readonly docs: MetricDocs
}

/** Declaration of a metric. */
interface MetricSource<Name extends string> extends Omit<MetricDefinition<Name>, 'choose' | 'routes'> {
  /** Set it if other parameters also choose the query. Undefined as a result keeps the named query, or the first. */
  readonly choose?: (query_type: NoInfer<Name> | undefined, params: Raw, spec: Raw) => NoInfer<Name> | undefined
  readonly routes: readonly RouteSource<NoInfer<Name>>[]
}

/** A frozen metric with its routes. InternalError if a route names no query. */
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
