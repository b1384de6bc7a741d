import type * as z from 'zod'
import type { BoundValue } from '../compiler/fragment.ts'
import type { InlineRelation } from '../compiler/inline.ts'
import type { Definitions } from '../core/definitions.ts'
import type { ResultRow } from '../query/cells.ts'
import type { Field } from '../query/field.ts'
import type { QueryOffer } from '../query/offer.ts'
import type { ParameterDefinition } from '../query/parameters.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { QueryRequest } from '../query/request.ts'
import type { Slots } from '../query/scope.ts'
import type { Warning } from '../query/warning.ts'

/** A row of an answer: key columns, dimensions, measures, in the order in which they are shown. */
export type AnswerRow = Readonly<Record<string, string | number | boolean | null>>

/** What a query yields. A scalar names the field it has in the list form. */
export type MetricResult =
  | { readonly kind: 'scalar'; readonly field: string; readonly value: number | null }
  | { readonly kind: 'object'; readonly columns: readonly string[]; readonly value: AnswerRow }
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly AnswerRow[] }

/** One statement: a template of sql/metrics, its slots and parameters. Relations see [window.from, window.to). */
export interface TemplateRun {
  /** `<metric>/<query>` */
  readonly template: string
  readonly slots: Slots
  readonly params: Readonly<Record<string, BoundValue>>
  readonly window: { readonly from: Date; readonly to: Date }
  readonly inline?: readonly InlineRelation[]
}

/** What a query may use: the checked request, the definitions, SQL in one snapshot, other metrics in the same one. */
export interface MetricContext {
  readonly request: QueryRequest
  readonly now: Date
  readonly connector: string
  readonly definitions: Definitions & { readonly base_currency: string }
  readonly limits: { readonly max_rows: number }
  run(run: TemplateRun): Promise<readonly ResultRow[]>
  warn(warning: Warning): void
  /** Answer of another metric in the same snapshot; the metric must stand in `depends_on`. */
  ask(metric: string, params: Raw, spec?: Raw): Promise<MetricResult>
}

/** One figure of a metric. `offer` drives parsing and discovery, the zod schemas the documents and the check of the rows. */
export interface MetricQuery {
  readonly summary: string
  readonly offer: QueryOffer
  /** Answer without dimensions, comparison or periods. */
  readonly plain: z.ZodType
  /** Key columns (besides dimensions) and measures of the list form. */
  readonly row: z.ZodObject
  /** The same where the request asks for periods; absent when it cannot or when the rows are the same. */
  readonly series_row?: z.ZodObject
  run(context: MetricContext): Promise<MetricResult>
}

/** A path below /api/metrics and the query it stands for. */
export interface MetricRoute {
  /** Path tail, `mrr/breakdown`. */
  readonly path: string
  /** Fixed `query_type`; undefined where the metric chooses by the parameters. */
  readonly query_type: string | undefined
  readonly summary: string
  readonly params: readonly (ParameterDefinition & { readonly isRequired: boolean })[]
}

export interface MetricDocs {
  readonly formula: string
  readonly assumptions: readonly string[]
  readonly edge_cases: readonly string[]
  /** A worked example whose numbers a test executes on the example of definitions.md 17. */
  readonly example: { readonly text: string; readonly params: Raw; readonly spec?: Raw; readonly answer: unknown }
}

export interface MetricDefinition {
  readonly name: string
  readonly summary: string
  readonly depends_on: readonly string[]
  /** Base relations without which no query can be answered. */
  readonly reads: readonly string[]
  readonly time_fields: readonly Field[]
  readonly queries: Readonly<Record<string, MetricQuery>>
  /** Query for the parameters given; called with a `query_type` of `queries` or none. */
  choose(query_type: string | undefined, params: Raw, spec: Raw): string
  readonly routes: readonly MetricRoute[]
  readonly docs: MetricDocs
}

/** A frozen definition; exists for the types. */
export function defineMetric(definition: MetricDefinition): MetricDefinition {
  return Object.freeze(definition)
}
