import { ratio } from '../../core/money.ts'
import { eachInSlices, mapInSlices, sortInSlices } from '../../core/slices.ts'
import { exactly } from '../../core/too-large.ts'
import { measuresOf } from '../../metrics/answer-schema.ts'
import type { Measure } from '../../metrics/columns.ts'
import type { MetricResult } from '../../metrics/define-metric.ts'
import type { AnswerRow } from '../../metrics/readings/context.ts'
import { periodNames } from '../../metrics/readings/periods.ts'
import type { Cell } from '../../ports/rows.ts'
import type { DimensionValue } from '../../query/dimension-value.ts'
import { compareValues, type OrderTerm } from '../../query/order.ts'
import type { RequestDays } from '../../query/ranges.ts'
import type { RowsRequest } from '../../query/rows-request.ts'
import type { PlannedQuery } from '../plan/plan.ts'
import type { FoundQuery } from '../run.ts'
import type { ResolvedDefinitions } from '../session/session.ts'
import type { Shaped } from './answer.ts'
import { exactAnswer } from './check-answer.ts'
import { changeOf, withPrevious } from './comparison.ts'
import { describeResult } from './describe-columns.ts'
import { markForecast, markPeriods } from './mark-periods.ts'

type RowsResult = Extract<MetricResult, { kind: 'rows' }>

/**
 * Shapes the result of a query as requested: compares it, then marks periods that are not over, then sorts it, then cuts it to a page
 * (http-api.md 1.9). Rows of a forecast are marked last.
 */
export async function shapeQuery(
  { result, earlier }: FoundQuery,
  planned: PlannedQuery,
  definitions: ResolvedDefinitions,
  now: Date,
): Promise<Shaped> {
  const { rows } = planned.request
  const base = definitions.base_currency
  if (rows === undefined) return describeResult(result, planned, base)
  const measures = measuresOf(planned.query)
  const settling = planned.query.settlesIn?.(planned.request, definitions)
  const trimmed = rows.isTrimmed ? await withoutLead(result, measures) : result
  if (rows.compared === undefined || earlier === undefined)
    return cutRows(await markPeriods(trimmed, planned.request, now, settling), planned, rows, measures, base, now)
  const positions = positionsOf(planned, earlier.planned)
  const compared = await exactAnswer(await withPrevious(trimmed, earlier.result, measures, positions, earlier.wholes))
  const compared_with = daysText(rows.compared.days)
  if (result.kind === 'scalar')
    return { ...(await describeResult(compared, planned, base, result.field)), compared_with, measure: result.field }
  const marked = await markPeriods(compared, planned.request, now, settling)
  return { ...(await cutRows(marked, planned, rows, measures, base, now)), compared_with }
}

function positionsOf(current: PlannedQuery, earlier: PlannedQuery) {
  const [now, then] = [current, earlier].map(({ request }) => periodNames(request.time))
  return now === undefined || then === undefined ? undefined : { current: now, earlier: then }
}

function daysText(days: RequestDays): string {
  return 'start' in days ? `${days.start}/${days.end}` : days.at
}

async function cutRows(
  result: MetricResult,
  planned: PlannedQuery,
  { order, limit, offset, hasOtherRow }: RowsRequest,
  measures: ReadonlyMap<string, Measure>,
  base: string,
  now: Date,
): Promise<Shaped> {
  const described = async (whole: MetricResult) => describeResult(await markForecast(whole, planned.request, now), planned, base)
  if (result.kind !== 'rows' || result.columns.includes('period')) return described(result)
  const all = (await inOrder(result, order, planned)) as readonly AnswerRow[]
  const page = all.slice(offset, limit === undefined ? undefined : offset + limit)
  const shown = hasOtherRow ? await withRest(result, all, page, offset, planned, measures) : { ...result, rows: page }
  return { ...(await described(await exactAnswer(shown))), total: all.length }
}

async function withRest(
  { columns }: RowsResult,
  all: readonly AnswerRow[],
  page: readonly AnswerRow[],
  offset: number,
  { request }: PlannedQuery,
  measures: ReadonlyMap<string, Measure>,
): Promise<RowsResult> {
  const cut = [...all.slice(0, offset), ...all.slice(offset + page.length)]
  const dimensions = request.dimensions.map(({ key }) => key)
  const rest = cut.length === 0 ? [] : [{ is_rest: true, ...restRow(cut, columns, { measures, dimensions }) }]
  const shown = await mapInSlices(page, (row) => ({ is_rest: false, ...row }))
  return { kind: 'rows', columns: ['is_rest', ...columns], rows: [...shown, ...rest] }
}

// A stable sort: equal rows keep the usual order.
async function inOrder(
  { rows }: RowsResult,
  order: readonly OrderTerm[],
  { request, query }: PlannedQuery,
): Promise<RowsResult['rows']> {
  if (order.length === 0) return rows
  const fields = [...request.dimensions, ...query.inputs.dimensions]
  const terms = order.map(({ field, isDescending }) => {
    const words = fields.find(({ key }) => key === field)?.order ?? []
    const rank = (row: RowsResult['rows'][number]): DimensionValue => {
      const value = (row as AnswerRow)[field] ?? null
      return words.length === 0 || value === null ? (value as DimensionValue) : words.indexOf(String(value))
    }
    return (a: RowsResult['rows'][number], b: RowsResult['rows'][number]) => compared(rank(a), rank(b), isDescending)
  })
  return sortInSlices(rows, (a, b) => {
    for (const term of terms) {
      const difference = term(a, b)
      if (difference !== 0) return difference
    }
    return 0
  })
}

function compared(a: DimensionValue, b: DimensionValue, isDescending: boolean): number {
  return isDescending && a !== null && b !== null ? compareValues(b, a) : compareValues(a, b)
}

// A range without a start begins with the first period that has a figure.
async function withoutLead(result: MetricResult, measures: ReadonlyMap<string, Measure>): Promise<MetricResult> {
  if (result.kind !== 'rows' || !result.columns.includes('period')) return result
  const rows = result.rows as readonly AnswerRow[]
  const names = [...measures.keys()]
  const isFigure = (row: AnswerRow) => names.some((name) => (row[name] ?? 0) !== 0)
  let first: string | undefined
  await eachInSlices(rows, (row) => {
    const name = String(row['period'])
    if ((first === undefined || name < first) && isFigure(row)) first = name
  })
  const kept: AnswerRow[] = []
  await eachInSlices(rows, (row) => {
    if (first !== undefined && String(row['period']) >= first) kept.push(row)
  })
  return { ...result, rows: kept }
}

/** Measures and dimensions of the rows outside the page. */
interface RestContext {
  readonly measures: ReadonlyMap<string, Measure>
  /** Keys of the dimensions that rows are grouped by. */
  readonly dimensions: readonly string[]
}

const REST = { row: 'rest' }

/** Combines many rows into one (http-api.md 1.9): adds up sums and computes ratios from the sums. All other columns are null. */
function restRow(rows: readonly AnswerRow[], columns: readonly string[], context: RestContext): AnswerRow {
  return Object.fromEntries(columns.map((column) => [column, restCell(rows, column, context)]))
}

function restCell(rows: readonly AnswerRow[], column: string, context: RestContext): Cell {
  const [, prefix = '', name = column] = /^(previous_|change_)(.+)$/.exec(column) ?? []
  const measure = context.measures.get(column) ?? context.measures.get(name)
  if (measure === undefined) return null
  if (context.measures.has(column)) return madeOf(rows, column, '', measure, context)
  if (prefix === 'change_') {
    return changeOf(madeOf(rows, name, 'previous_', measure, context), madeOf(rows, name, '', measure, context))
  }
  return madeOf(rows, name, prefix, measure, context)
}

// Computes a measure over all rows. `prefix` is `previous_` for the earlier days of a comparison.
function madeOf(rows: readonly AnswerRow[], name: string, prefix: string, measure: Measure, context: RestContext): number | null {
  if (measure.kind === 'not_additive') return null
  if (measure.kind === 'sum') return sumOf(rows, `${prefix}${name}`, measure, context)
  const add = (names: readonly string[]) =>
    names.reduce((sum: number | null, part) => {
      const own = context.measures.get(part)
      const value = own?.kind === 'sum' ? sumOf(rows, `${prefix}${part}`, own, context) : null
      return sum === null || value === null ? null : exactly(sum + value, part, REST)
    }, 0)
  const [top, bottom] = [add(measure.top), add(measure.bottom)]
  return top === null || bottom === null ? null : ratio(top, bottom, measure.decimals)
}

function sumOf(
  rows: readonly AnswerRow[],
  column: string,
  { shared_by = [], only_by }: Extract<Measure, { kind: 'sum' }>,
  { dimensions }: RestContext,
): number | null {
  const isOverlapping = only_by !== undefined && dimensions.some((key) => !only_by.includes(key) && !isOfCustomer(key))
  if (isOverlapping) return null
  const parts = dimensions.filter((key) => !shared_by.includes(key))
  const once = parts.length === dimensions.length ? rows : distinctBy(rows, parts)
  const cells = once.map((row) => row[column] ?? null)
  return cells.reduce(
    (sum: number | null, cell) => (sum === null || typeof cell !== 'number' ? null : exactly(sum + cell, column, REST)),
    0,
  )
}

// Each customer has one value of an attribute, so its groups have no customer in common.
function isOfCustomer(key: string): boolean {
  return key.startsWith('attr.')
}

function distinctBy(rows: readonly AnswerRow[], keys: readonly string[]): readonly AnswerRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify(keys.map((key) => row[key] ?? null)), row])).values()]
}
