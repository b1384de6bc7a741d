import type { Unit } from '../../core/column.ts'

/** The part of an answer that becomes a body. */
export interface Renderable {
  readonly data: unknown
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  readonly columns: readonly string[]
  /** The kind of each column, if known. */
  readonly meta?: { readonly fields: Fields; readonly amounts?: { readonly unit: string } }
  /** The table in files, if it is another than that of `data`. */
  readonly file?: Pick<Renderable, 'data' | 'kind' | 'columns'> & {
    readonly fields: Fields
  }
}

type Fields = readonly { readonly name: string; readonly holds: string; readonly unit?: Unit }[]

/** The answer as CSV and workbooks show it: with the table of files, if it has one. */
export function inFile<Part extends Renderable>(answer: Part): Part {
  if (answer.file === undefined) return answer
  const { fields, ...table } = answer.file
  return { ...answer, ...table, meta: { ...answer.meta, fields } }
}

/** Returns a function that gives the cells of a record in column order. */
export function rowOf(columns: readonly string[]): (record: Readonly<Record<string, unknown>>) => readonly unknown[] {
  return (record) => columns.map((column) => record[column])
}

/** Names of the columns that hold amounts. */
export function amountColumns({ meta }: Pick<Renderable, 'meta'>): ReadonlySet<string> {
  return new Set(meta?.fields.flatMap(({ name, holds }) => (holds === 'amount' ? [name] : [])))
}

/** The units of an answer's columns, by name. */
export function unitsOfColumns({ meta }: Pick<Renderable, 'meta'>): ReadonlyMap<string, Unit> {
  return new Map(
    meta?.fields.flatMap(({ name, holds, unit = holds === 'amount' ? 'money' : undefined }) =>
      unit === undefined ? [] : [[name, unit] as const],
    ),
  )
}

/** The name of a column that holds amounts in units: `mrr_base` for `mrr_base_cents`. Names of attributes stay. */
export function unitName(column: string): string {
  return column.startsWith('attr.') ? column : column.replace(/_cents$/, '')
}

/** The names of the columns in a file. Amounts in units are no cents, so their names do not say so. */
export function fileNames(answer: Renderable): readonly string[] {
  const amounts = answer.meta?.amounts?.unit === 'units' ? amountColumns(answer) : new Set<string>()
  return answer.columns.map((column) => (amounts.has(column) ? unitName(column) : column))
}

/** The records of an answer. A scalar or object is one record, a page has its rows. */
export function recordsOf(answer: Renderable): readonly Readonly<Record<string, unknown>>[] {
  if (answer.kind === 'scalar') return [{ [answer.columns[0] ?? 'value']: answer.data }]
  const rows = answer.kind === 'object' ? [answer.data] : answer.kind === 'page' ? pageRows(answer.data) : answer.data
  return Array.isArray(rows) ? rows : []
}

function pageRows(page: unknown): unknown {
  return typeof page === 'object' && page !== null && 'rows' in page ? page.rows : []
}
