import { ratio } from '../core/money.ts'
import { exactly } from '../core/too-large.ts'
import type { Measure } from '../metrics/columns.ts'
import type { AnswerRow } from '../metrics/readings/context.ts'
import type { Cell } from '../ports/rows.ts'
import { changeOf } from './comparison.ts'

/** What the sums of cut rows depend on. */
export interface RestContext {
  readonly measures: ReadonlyMap<string, Measure>
  /** Keys of the dimensions that rows are grouped by. */
  readonly dimensions: readonly string[]
}

const REST = { row: 'rest' }

/** One row for many (http-api.md 1.9): sums are added up, ratios made of the sums, and what is of one row only is null. */
export function restRow(rows: readonly AnswerRow[], columns: readonly string[], context: RestContext): AnswerRow {
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

// The measure of the rows together; with the prefix that of the other time.
function madeOf(rows: readonly AnswerRow[], name: string, prefix: string, measure: Measure, context: RestContext): number | null {
  if (measure.kind === 'apart') return null
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
