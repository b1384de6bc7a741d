import * as z from 'zod'
import { groupableFields, type QueryInputs } from '../query/inputs.ts'
import { arrangeFigure, arrangeList } from './arrange-rows.ts'
import { PERIOD, PERIOD_COLUMNS } from './columns.ts'
import type { AnswerRow, MetricContext, MetricResult } from './readings/context.ts'
import type { KeyedRow, PeriodGroup } from './readings/groups.ts'

/** One question to a metric. `offer` drives parsing and discovery, the zod schemas the documents and the check of the rows. */
export interface MetricQuery {
  readonly summary: string
  readonly inputs: QueryInputs
  /** Base relations without which it cannot be answered, beside those of its metric. */
  readonly reads?: readonly string[]
  /** Base relations that it reads where the connector supplies them. */
  readonly reads_where_supplied?: readonly string[]
  /** Answer without dimensions, comparison or periods. */
  readonly plain: z.ZodType
  /** Key columns (besides dimensions) and measures of the list form. */
  readonly row: z.ZodObject
  /** The same where the request asks for periods; absent when it cannot or when the rows are the same. */
  readonly series_row?: z.ZodObject
  /** Key columns of its rows besides the period. */
  readonly keys?: readonly string[]
  /** False where rows of another time have nothing in common with these. */
  readonly is_comparable?: false
  run(context: MetricContext): Promise<MetricResult>
}

/** Columns by name, in the order in which they are shown. Each is described; one that may be null is null where nothing was found. */
type Columns = Readonly<Record<string, z.ZodType<AnswerRow[string]>>>

type Measures<C extends Columns> = {
  readonly [Name in keyof C]: z.output<C[Name]>
}

type Keys<C extends Columns> = {
  readonly [Name in keyof C]: AnswerRow[string]
}

/** A number, or an object of numbers, that becomes a row for each group and period (http-api.md 1.6, G and S). */
export interface Figure<M extends Columns, S extends Columns> {
  readonly summary: string
  readonly inputs: QueryInputs
  /** Base relations without which it cannot be answered, beside those of its metric. */
  readonly reads?: readonly string[]
  readonly measures: M
  /** The measure that is the plain answer; without it the plain answer is the object of all. */
  readonly plain?: keyof M & string
  /** The measures of each group; others that it yields besides are left out. */
  read(context: MetricContext): Promise<readonly PeriodGroup<Measures<M>>[]>
  /** How periods are answered, where they have measures or a reading of their own. */
  readonly series?: {
    readonly measures: S
    read(context: MetricContext): Promise<readonly KeyedRow<{ readonly period: string }, Measures<S>>[]>
  }
}

/** A list of rows that have keys of their own besides dimensions (http-api.md 1.6, R). */
export interface List<K extends Columns, M extends Columns> {
  readonly summary: string
  readonly inputs: QueryInputs
  /** Base relations without which it cannot be answered, beside those of its metric. */
  readonly reads?: readonly string[]
  /** Key columns; `period` goes without saying where periods can be asked for. */
  readonly keys: K
  readonly measures: M
  /** False where rows of another time have nothing in common with these. */
  readonly is_comparable?: false
  /** The rows; columns that it yields besides are left out. */
  read(context: MetricContext): Promise<readonly KeyedRow<Keys<K>, Measures<M>>[]>
}

/** A query whose answer is a figure. All that is told of its columns follows from `measures`. */
export function defineFigure<const M extends Columns, const S extends Columns = M>(figure: Figure<M, S>): MetricQuery {
  const { summary, inputs, reads = [], measures, plain, read, series } = figure
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
  })
}

/** A query whose answer is a list. All that is told of its columns follows from `keys` and `measures`. */
export function defineList<const K extends Columns, const M extends Columns>(list: List<K, M>): MetricQuery {
  const { summary, reads = [], measures, read, is_comparable } = list
  const inputs = withKeyColumns(list.inputs, Object.keys(list.keys))
  const keys = {
    ...('period' in list.keys ? {} : periodColumn(inputs)),
    ...list.keys,
  }
  const row = z.object({ ...keys, ...measures })
  const columns = { keys: Object.keys(keys), measures: Object.keys(measures) }
  return Object.freeze({
    summary,
    inputs,
    reads,
    plain: z.array(row),
    row,
    keys: Object.keys(list.keys).filter((name) => !PERIOD_COLUMNS.includes(name)),
    ...(is_comparable === undefined ? {} : { is_comparable }),
    run: async (context: MetricContext) => arrangeList(context, columns, await read(context)),
  })
}

// To group by what is a key anyway changes nothing.
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

function nothingOf(measures: Columns): AnswerRow {
  return Object.fromEntries(Object.entries(measures).map(([name, schema]) => [name, schema.safeParse(null).success ? null : 0]))
}
