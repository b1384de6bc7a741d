import type { DialectName } from '../../../../src/compiler/dialect.ts'

export type LiteralValue = string | number | boolean | null

/** A value as an INSERT writes it, for a column of that neutral type. Booleans may be `t` and `f`, binary values `\x` and digits. */
export function literal(value: LiteralValue, type: string, engine: DialectName): string {
  if (value === null) return 'null'
  if (type === 'boolean') return booleanLiteral(value === true || value === 't' || value === 1, engine)
  if (typeof value === 'boolean') return booleanLiteral(value, engine)
  if (typeof value === 'number') return String(value)
  if (type === 'blob' && engine === 'mysql') return `x'${value.replace(/^\\x/, '')}'`
  const text = engine === 'mysql' ? value.replaceAll('\\', '\\\\') : value
  return `'${text.replaceAll("'", "''")}'`
}

function booleanLiteral(value: boolean, engine: DialectName): string {
  if (engine === 'mysql') return value ? '1' : '0'
  return value ? 'true' : 'false'
}

const MOST_CHARACTERS = 500_000

/** INSERT statements of many rows each, short enough for every server's packet limit. */
export function* insertStatements(table: string, columns: readonly string[], tuples: Iterable<string>): Generator<string> {
  const head = `insert into ${table} (${columns.join(', ')}) values `
  let batch: string[] = []
  let size = 0
  for (const tuple of tuples) {
    batch.push(tuple)
    size += tuple.length
    if (size < MOST_CHARACTERS) continue
    yield head + batch.join(', ')
    batch = []
    size = 0
  }
  if (batch.length > 0) yield head + batch.join(', ')
}
