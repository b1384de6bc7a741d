import { z } from '@hono/zod-openapi'
import type { MetricDefinition } from '../../../engine/engine.ts'
import { COMPARED_FIGURE, type Field, type FieldType, groupableFields, objectSchema, rowSchema } from '../../../engine/shapes.ts'

type MetricQuery = MetricDefinition['queries'][string]

/** The result shapes of a query, under their names in the document and the clients. */
interface QuerySchemas {
  /** The result without dimensions, comparison and periods. */
  readonly plain: z.ZodType
  /** The results of the query in list form. */
  readonly lists: readonly z.ZodType[]
}

type Named = (names: readonly string[], schema: z.ZodType) => z.ZodType

// In JSON, days and instants are strings.
const VALUES: Readonly<Record<FieldType, z.ZodType>> = {
  string: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  date: z.string().meta({ format: 'date' }),
  timestamp: z.string().meta({ format: 'date-time' }),
}

const known = new WeakMap<MetricDefinition, ReadonlyMap<string, QuerySchemas>>()

/**
 * The schemas of a metric's queries by `query_type`. A schema name consists of the metric, the query and the form: `MrrWaterfallRow`. The
 * first query of a metric leaves out its own name: `MrrPoint`. Equal schemas share one name. If a different schema already has the short
 * name, the first query adds its own name, too.
 */
export function schemasOf(definition: MetricDefinition): ReadonlyMap<string, QuerySchemas> {
  const found = known.get(definition) ?? namedSchemas(definition)
  known.set(definition, found)
  return found
}

function namedSchemas(definition: MetricDefinition): ReadonlyMap<string, QuerySchemas> {
  const named = naming()
  const { shared, others } = dimensionsOf(definition)
  const base = named(
    [`${pascal(definition.name)}Dimensions`],
    z
      .object({
        segment_id: z.string().optional().describe('Id of the segment. Only with `compare_segments`'),
        ...columnsOf(shared),
      })
      .describe(
        'The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`.',
      ),
  )
  return new Map(
    Object.entries(definition.queries).map(([name, query], index) => {
      const full = pascal(`${definition.name}_${name}`)
      const own = index === 0 ? pascal(definition.name) : full
      const grouped = (columns: z.ZodObject) =>
        isGrouped(query) ? z.intersection(base, z.object({ ...columnsOf(others), ...columns.shape }).loose()) : columns
      return [name, querySchemas(query, [own, full], grouped, named)]
    }),
  )
}

function querySchemas(
  query: MetricQuery,
  prefixes: readonly string[],
  grouped: (columns: z.ZodObject) => z.ZodType,
  named: Named,
): QuerySchemas {
  const { inputs, plain, row, series_row } = query
  const inForm = (form: string, columns: z.ZodObject) => {
    const names = prefixes.map((prefix) => (form === 'SeriesRow' && prefix.endsWith('Series') ? `${prefix}Row` : prefix + form))
    return named(names, grouped(columns))
  }
  const rows = z.array(inForm(inputs.dates === 'point_or_range' ? 'Point' : 'Row', rowSchema(query, row, false)))
  const series = series_row === undefined ? [] : [z.array(inForm('SeriesRow', rowSchema(query, series_row, true)))]
  if (plain instanceof z.ZodArray) return { plain: rows, lists: series }
  const lists = isGrouped(query) || inputs.step !== 'none' ? [rows, ...series] : series
  if (plain instanceof z.ZodObject) return { plain: named(prefixes, objectSchema(plain, query)), lists }
  return { plain, lists: [...(query.is_comparable === false ? [] : [COMPARED_FIGURE]), ...lists] }
}

function isGrouped(query: MetricQuery): boolean {
  return fieldsOf(query).length > 0 || query.inputs.compare !== 'none'
}

function fieldsOf({ inputs }: MetricQuery): readonly Field[] {
  return groupableFields(inputs, true)
}

// A dimension that is also a column of some rows is described only with these rows. Code generators drop a column with two descriptions.
function dimensionsOf({ queries }: MetricDefinition): { readonly shared: readonly Field[]; readonly others: readonly Field[] } {
  const all = Object.values(queries)
  const taken = new Set(
    all.flatMap(({ row, series_row }) => [row, series_row].flatMap((columns) => Object.keys(columns?.shape ?? {}))),
  )
  const fields = all.flatMap(fieldsOf)
  return { shared: fields.filter(({ key }) => !taken.has(key)), others: fields.filter(({ key }) => taken.has(key)) }
}

function columnsOf(fields: readonly Field[]) {
  return Object.fromEntries(
    fields.map(({ key, type, description }) => [key, VALUES[type].nullable().optional().describe(description)]),
  )
}

function naming(): Named {
  const taken = new Map<string, string>()
  return (names, schema) => {
    const shape = JSON.stringify(z.toJSONSchema(schema))
    const id = names.find((name) => (taken.get(name) ?? shape) === shape) ?? `${names.at(-1)}2`
    taken.set(id, shape)
    return schema.meta({ id })
  }
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|[_-]+)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
