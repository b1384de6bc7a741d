import * as z from 'zod'
import type { Definitions } from '../core/definitions.ts'
import { groupableFields, type QueryInputs } from '../query/inputs.ts'
import type { QueryRequest } from '../query/request.ts'
import type { RangeTime } from '../query/timeframe.ts'
import { arrangeFigure, arrangeList, rowsOf } from './arrange-rows.ts'
import { PERIOD, PERIOD_COLUMNS } from './columns.ts'
import type { FigureSource } from './figures.ts'
import type { AnswerRow, MetricContext, MetricResult } from './readings/context.ts'
import type { CountRows } from './readings/counted.ts'
import type { KeyedRow, PeriodGroup } from './readings/groups.ts'

/** The page of the dashboard that shows a query. Links for language models lead to it. */
export interface DashboardPage {
  /** The page for the query without groups. */
  readonly path: string
  /** The view of the page. */
  readonly view?: string
  /** The measure of the cohorts on the page, if it is not customers. */
  readonly kept?: 'net'
  /** True if the page groups the query by one dimension. */
  readonly isGrouped?: true
  /** The metric of Explore that shows the query with any groups. */
  readonly figure?: string
}

/** Attributes of a query, without its columns and rows. */
export interface QueryTraits {
  /** `totals`: each row combines many customers, so the scope `read:aggregate` may ask. Absent: rows may show single customers. */
  readonly shows?: 'totals'
  /** Other names of the query, with `_` for blanks. */
  readonly words?: readonly string[]
  readonly page?: DashboardPage
  /** The figures that menus and searches offer. */
  readonly figures?: readonly FigureSource[]
  /** Days after the end of a period in which its numbers can still change by what happens then. Until they are over, its rows are partial. */
  settlesIn?(request: QueryRequest, definitions: Definitions): number
  /** Values of key columns that name the number of a row, other than kinds of movements and months of cohorts. */
  readonly key_values?: Readonly<Record<string, (time: RangeTime) => readonly string[]>>
}

/** A query of a metric. Parsing and discovery use `inputs`; the API document and the check of rows use the zod schemas. */
export interface MetricQuery extends QueryTraits {
  readonly summary: string
  readonly inputs: QueryInputs
  /** Base relations that it needs in addition to those of its metric. */
  readonly reads?: readonly string[]
  /** Base relations that it reads if the connector supplies them. */
  readonly reads_where_supplied?: readonly string[]
  /** Schema of the answer without dimensions, comparison or periods. */
  readonly plain: z.ZodType
  /** Key columns (without dimensions) and measures of a row. */
  readonly row: z.ZodObject
  /** Schema of a row if the request has periods; absent if the query has no periods, or the same rows with them. */
  readonly series_row?: z.ZodObject
  /** Key columns of its rows without the period. */
  readonly keys?: readonly string[]
  /** False if rows cannot be matched with rows of another time. */
  readonly is_comparable?: false
  run(context: MetricContext): Promise<MetricResult>
  /** The rows that a measure counts, by measure. The first is the default. Absent: the query shows no rows. */
  readonly rows?: RowsByMeasure
  /** The measures of every group and period, also without dimensions. Only figures without `series` have it. */
  readRows?(context: MetricContext): Promise<readonly AnswerRow[]>
}

/** Whether the query answers one number without dimensions, comparison and periods. */
export function answersNumber({ plain }: MetricQuery): boolean {
  return !(plain instanceof z.ZodArray || plain instanceof z.ZodObject)
}

/** The rows behind a number, by measure: sums, counts, and the numerators and denominators of ratios. */
export type RowsByMeasure = Readonly<Record<string, CountRows>>

/** Columns by name, in display order, each with a description. A nullable column is null if there is no data. */
type Columns = Readonly<Record<string, z.ZodType<AnswerRow[string]>>>

type Measures<C extends Columns> = {
  readonly [Name in keyof C]: z.output<C[Name]>
}

type Keys<C extends Columns> = {
  readonly [Name in keyof C]: AnswerRow[string]
}

/** A number, or an object of numbers, with one row per group and period if requested (http-api.md 1.6, G and S). */
export interface Figure<M extends Columns, S extends Columns> extends QueryTraits {
  readonly summary: string
  readonly inputs: QueryInputs
  /** Base relations that it needs in addition to those of its metric. */
  readonly reads?: readonly string[]
  readonly measures: M
  /** The measure that is the plain answer; by default the plain answer is an object of all measures. */
  readonly plain?: keyof M & string
  /** The rows behind the measures. */
  readonly rows?: RowsByMeasure
  /** Returns the measures of each group. Additional columns are dropped. */
  read(context: MetricContext): Promise<readonly PeriodGroup<Measures<M>>[]>
  /** Measures and reading for answers with periods, if different. */
  readonly series?: {
    readonly measures: S
    read(context: MetricContext): Promise<readonly KeyedRow<{ readonly period: string }, Measures<S>>[]>
  }
}

/** A list of rows with key columns in addition to dimensions (http-api.md 1.6, R). */
export interface List<K extends Columns, M extends Columns> extends QueryTraits {
  readonly summary: string
  readonly inputs: QueryInputs
  /** Base relations that it needs in addition to those of its metric. */
  readonly reads?: readonly string[]
  /** Key columns. `period` is added if the query can have periods. */
  readonly keys: K
  readonly measures: M
  /** False if rows cannot be matched with rows of another time. */
  readonly is_comparable?: false
  /** The rows behind the measures. */
  readonly rows?: RowsByMeasure
  /** Returns the rows. Additional columns are dropped. */
  read(context: MetricContext): Promise<readonly KeyedRow<Keys<K>, Measures<M>>[]>
}

/** Defines a query that answers a figure. Its columns follow from `measures`. */
export function defineFigure<const M extends Columns, const S extends Columns = M>(figure: Figure<M, S>): MetricQuery {
  const { summary, inputs, reads = [], measures, plain, rows, read, series } = figure
  const row = z.object({ ...periodColumn(inputs), ...measures })
  const columns = {
    measures: Object.keys(measures),
    plain,
    nothing: nothingOf(measures),
  }
  const seriesColumns = {
    keys: ['period'],
    measures: Object.keys(series?.measures ?? {}),
  }
  return Object.freeze({
    summary,
    ...traitsIn(figure),
    inputs,
    reads,
    plain: isAlwaysCut(inputs) ? z.array(row) : plainSchema(measures, plain),
    row,
    ...(inputs.dates === 'point_or_range'
      ? {
          series_row: z.object({
            period: PERIOD,
            ...(series?.measures ?? measures),
          }),
        }
      : {}),
    run: async (context: MetricContext) =>
      series !== undefined && context.request.time.kind === 'range'
        ? arrangeList(context, seriesColumns, await series.read(context))
        : arrangeFigure(context, columns, await read(context)),
    ...(rows === undefined ? {} : { rows }),
    ...(series === undefined ? { readRows: async (context: MetricContext) => rowsOf(context, await read(context)) } : {}),
  })
}

/** Defines a query that answers a list. Its columns follow from `keys` and `measures`. */
export function defineList<const K extends Columns, const M extends Columns>(list: List<K, M>): MetricQuery {
  const { summary, reads = [], measures, rows, read, is_comparable } = list
  const inputs = withKeyColumns(list.inputs, Object.keys(list.keys))
  const keys = {
    ...('period' in list.keys ? {} : listPeriod(inputs)),
    ...list.keys,
  }
  const row = z.object({ ...keys, ...measures })
  const columns = { keys: Object.keys(keys), measures: Object.keys(measures) }
  return Object.freeze({
    summary,
    ...traitsIn(list),
    inputs,
    reads,
    plain: z.array(row),
    row,
    keys: Object.keys(list.keys).filter((name) => !PERIOD_COLUMNS.includes(name)),
    ...(is_comparable === undefined ? {} : { is_comparable }),
    ...(rows === undefined ? {} : { rows }),
    run: async (context: MetricContext) => arrangeList(context, columns, await read(context)),
  })
}

function traitsIn({ shows, words, page, figures, settlesIn, key_values }: QueryTraits): QueryTraits {
  return {
    ...(shows && { shows }),
    ...(words && { words }),
    ...(page && { page }),
    ...(figures && { figures }),
    ...(settlesIn && { settlesIn }),
    ...(key_values && { key_values }),
  }
}

// Grouping by a key column has no effect.
function withKeyColumns(inputs: QueryInputs, keys: readonly string[]): QueryInputs {
  const groupable = groupableFields(inputs, true).map(({ key }) => key)
  return {
    ...inputs,
    key_columns: keys.filter((key) => groupable.includes(key)),
  }
}

function isAlwaysCut({ dates, step }: QueryInputs): boolean {
  return step === 'interval' && dates !== 'point_or_range'
}

function plainSchema(measures: Columns, plain: string | undefined): z.ZodType {
  return (plain === undefined ? undefined : measures[plain]) ?? z.object(measures)
}

function periodColumn(inputs: QueryInputs): Readonly<Record<string, z.ZodType>> {
  if (isAlwaysCut(inputs)) return { period: PERIOD }
  return inputs.step === 'granularity' ? { period: PERIOD.optional() } : {}
}

/** A list of a point or a range has the same rows for both, with a period for a range. */
function listPeriod(inputs: QueryInputs): Readonly<Record<string, z.ZodType>> {
  return inputs.dates === 'point_or_range' ? { period: PERIOD.optional() } : periodColumn(inputs)
}

function nothingOf(measures: Columns): AnswerRow {
  return Object.fromEntries(Object.entries(measures).map(([name, schema]) => [name, schema.safeParse(null).success ? null : 0]))
}
