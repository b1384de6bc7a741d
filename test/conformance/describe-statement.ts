import mysql, { type FieldPacket } from 'mysql2/promise'
import type { Statement } from '../../src/compiler/statement.ts'
import { openSession } from '../../src/databases/mysql/session.ts'
import { resolveLimits } from '../../src/databases/options.ts'
import type { Row } from '../../src/ports/rows.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'

/** The type of a column, as a database describes it. MySQL has no booleans and calls them numbers. */
export type DescribedType = 'text' | 'number' | 'boolean' | 'date' | 'timestamp'

export interface DescribedColumn {
  readonly name: string
  readonly type: DescribedType
}

/** Columns of a statement as the database describes them, without running it. Fails on a type that no answer has. */
export function describeStatement(database: TestDatabase, statement: Statement): Promise<readonly DescribedColumn[]> {
  return database.dialect.name === 'postgres' ? describePostgres(database, statement) : describeMysql(database, statement)
}

const POSTGRES_TYPES: Readonly<Record<string, DescribedType>> = {
  text: 'text',
  'character varying': 'text',
  character: 'text',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  boolean: 'boolean',
  date: 'date',
  'timestamp without time zone': 'timestamp',
  // Kill Bill's own domain.
  datetime: 'timestamp',
}

async function describePostgres(database: TestDatabase, { text, values }: Statement): Promise<readonly DescribedColumn[]> {
  const joined = `from (select 1 as one) as single left join (${text}\n) as described on false`
  const [nothing = {}] = await database.adminQuery(`select described.* ${joined}`, values)
  const names = Object.keys(nothing)
  const types = names.map((name, index) => `cast(pg_typeof(described.${name}) as text) as type_${index}`)
  const [row = {}] = await database.adminQuery(`select ${types.join(', ')} ${joined}`, values)
  return names.map((name, index) => ({ name, type: known(POSTGRES_TYPES, name, String(row[`type_${index}`])) }))
}

const MYSQL_TYPES: Readonly<Record<string, DescribedType>> = {
  TINY: 'number',
  LONG: 'number',
  LONGLONG: 'number',
  NEWDECIMAL: 'number',
  DATE: 'date',
  NEWDATE: 'date',
  DATETIME: 'timestamp',
  TIMESTAMP: 'timestamp',
  VAR_STRING: 'text',
  STRING: 'text',
  BLOB: 'text',
  MEDIUM_BLOB: 'text',
  LONG_BLOB: 'text',
}

// Collation number of binary strings, which are no text.
const BINARY_CHARSET = 63

// A busy machine may take its time.
const LIMITS = resolveLimits({ statementTimeoutMs: 120_000 })

async function describeMysql(database: TestDatabase, { text, values }: Statement): Promise<readonly DescribedColumn[]> {
  const connection = await mysql.createConnection(database.url)
  try {
    await openSession(async (text) => {
      const [rows] = await connection.query(text)
      return Array.isArray(rows) ? (rows as Row[]) : []
    }, LIMITS)
    const [, fields] = await connection.execute(`select * from (${text}\n) as described limit 0`, [...values])
    return fields.map((field) => ({ name: field.name, type: known(MYSQL_TYPES, field.name, mysqlType(field)) }))
  } finally {
    await connection.end()
  }
}

function mysqlType({ columnType, characterSet }: FieldPacket): string {
  const type = (mysql as unknown as { Types: Record<number, string> }).Types[columnType ?? -1] ?? 'unknown'
  return MYSQL_TYPES[type] === 'text' && characterSet === BINARY_CHARSET ? `binary ${type}` : type
}

function known(types: Readonly<Record<string, DescribedType>>, name: string, type: string): DescribedType {
  const found = types[type]
  if (found === undefined) throw new Error(`column "${name}" is ${type}`)
  return found
}
