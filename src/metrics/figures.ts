import type * as z from 'zod'
import { traitsOf } from '../core/column.ts'
import { measuresOf } from './answer-schema.ts'
import type { MetricDefinition } from './define-metric.ts'
import { answersNumber, type MetricQuery } from './define-query.ts'

/** One number that people look for by its name: a measure of a query. */
export interface FigureSource {
  readonly id: string
  /** The name that menus show. */
  readonly label: string
  readonly measure: string
  /** How it is drawn over time. */
  readonly chart: 'area' | 'bars' | 'line'
  /** Place in menus, from 1. */
  readonly place: number
  /** Further words of a search, in lower case. */
  readonly search?: string
  /** Its column in the summary. */
  readonly headline?: string
  /** The parameters that choose the query, if the path does not. */
  readonly asks?: Readonly<Record<string, string>>
  /** The rows behind it. By default those of the measure, or of the parts of a quotient, in the same query. */
  readonly rows?: { readonly query_type?: string; readonly measures?: readonly string[]; readonly note?: string }
  /** The path (below `/api/metrics`) of the number without groups, if its own path then answers another figure. */
  readonly alone?: string
}

/** A figure as discovery lists it: the question for it, and its rows. */
export interface DiscoveredFigure {
  readonly id: string
  readonly label: string
  readonly query_type: string
  readonly measure: string
  readonly chart: FigureSource['chart']
  readonly place: number
  readonly search: string
  /** Its column in the summary; null if the summary does not have it. */
  readonly headline: string | null
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** True for a level, which is that of a day. Other figures are those of a range. */
  readonly is_level: boolean
  /** The parameter of its periods; null if it has none. */
  readonly step: 'interval' | 'granularity' | null
  /** The path of the number without groups; null if there is none. */
  readonly alone: string | null
  /** True if the measure needs no exchange rate, although other measures of the query do. */
  readonly is_counted: boolean
  readonly rows: {
    readonly query: Readonly<Record<string, string>>
    readonly measures: readonly string[]
    readonly note: string | null
  }
}

/** The figures that the queries of a metric declare. */
export function figuresOf(definition: MetricDefinition): readonly DiscoveredFigure[] {
  return Object.entries(definition.queries).flatMap(([name, query]) =>
    (query.figures ?? []).map((source) => figureOf(source, name, query, definition)),
  )
}

function figureOf(source: FigureSource, query_type: string, query: MetricQuery, definition: MetricDefinition): DiscoveredFigure {
  const { id, label, measure, chart, place, search = '', headline = null, asks, rows = {}, alone } = source
  const [first] = Object.keys(definition.queries)
  const route = definition.routes.find((one) => one.query_type === query_type) ?? definition.routes[0]
  const path = pathOf(route?.path ?? definition.name)
  const isOwn = answersNumber(query) ? plainOf(query) === measure : query.inputs.can_group
  const units = [...measuresOf(query).keys()].map((name) => traitsOf(columnIn(query, name)).unit)
  const rowsOf = rows.query_type ?? (query_type === first ? undefined : query_type)
  return {
    id,
    label,
    query_type,
    measure,
    chart,
    place,
    search,
    headline,
    path,
    query: asks ?? {},
    is_level: query.inputs.dates === 'point_or_range' || query.inputs.dates === 'series',
    step: query.inputs.step === 'none' ? null : query.inputs.step,
    alone: alone !== undefined ? pathOf(alone) : isOwn ? path : null,
    is_counted: traitsOf(columnIn(query, measure)).unit === 'count' && units.includes('money'),
    rows: {
      query: asks ?? (rowsOf === undefined ? {} : { query_type: rowsOf }),
      measures: rows.measures ?? partsOf(query, measure),
      note: rows.note ?? null,
    },
  }
}

function pathOf(tail: string): string {
  return `/api/metrics/${tail}`
}

/** The parts of a quotient; otherwise the measure itself. */
function partsOf(query: MetricQuery, measure: string): readonly string[] {
  const rule = measuresOf(query).get(measure)
  return rule?.kind === 'ratio' ? [...rule.top, ...rule.bottom] : [measure]
}

/** The measure that the query answers without groups: the one whose schema is the plain one. */
function plainOf({ plain, row }: MetricQuery): string | undefined {
  return Object.entries(row.shape).find(([, schema]) => schema === plain)?.[0]
}

function columnIn({ row, series_row }: MetricQuery, name: string): z.ZodType {
  return (row.shape[name] ?? series_row?.shape[name]) as z.ZodType
}
