/** The part of an answer that becomes a body. */
export interface Renderable {
  readonly data: unknown
  readonly kind: 'scalar' | 'object' | 'rows' | 'page'
  readonly columns: readonly string[]
  /** What its columns hold, where that is known. */
  readonly meta?: { readonly fields: readonly { readonly name: string; readonly holds: string }[] }
}

/** What gives the cells of a record in the order of the columns. */
export function rowOf(columns: readonly string[]): (record: Readonly<Record<string, unknown>>) => readonly unknown[] {
  return (record) => columns.map((column) => record[column])
}

/** Names of the columns that hold amounts. */
export function amountColumns({ meta }: Pick<Renderable, 'meta'>): ReadonlySet<string> {
  return new Set(meta?.fields.flatMap(({ name, holds }) => (holds === 'amount' ? [name] : [])))
}

/** The records of an answer: a scalar or object is one, a page has its rows. */
export function recordsOf(answer: Renderable): readonly Readonly<Record<string, unknown>>[] {
  if (answer.kind === 'scalar') return [{ [answer.columns[0] ?? 'value']: answer.data }]
  const rows = answer.kind === 'object' ? [answer.data] : answer.kind === 'page' ? pageRows(answer.data) : answer.data
  return Array.isArray(rows) ? rows : []
}

function pageRows(page: unknown): unknown {
  return typeof page === 'object' && page !== null && 'rows' in page ? page.rows : []
}
