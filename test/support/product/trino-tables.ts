import { PROBED_TABLES } from '../../../connectors/killbill/required-schema.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import { type BoundValue, type Fragment, ident, join, relation, sql } from '../../../src/compiler/fragment.ts'
import type { CacheColumn, CacheType } from '../../../src/ports/cache-database.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { readFixture, readSchema } from '../data/killbill/killbill-fixture.ts'
import type { KillbillColumn } from '../data/killbill/killbill-schema.ts'
import { runFragment } from './run-fragment.ts'

type TrinoExecutor = Pick<Executor, 'withSnapshot'>

/** Characters of the rows in one statement. */
const MOST_CHARACTERS = 500_000

/** Creates a table with these rows. Each statement holds a part of them. */
export async function createTrinoTable(
  executor: TrinoExecutor,
  name: string,
  columns: readonly CacheColumn[],
  rows: readonly (readonly BoundValue[])[],
): Promise<void> {
  const inlined = columns.map(
    (column) => ({ name: column.name, type: typeof column.type === 'object' ? 'decimal' : column.type }) as const,
  )
  const cells = columns.map(
    (column) => sql`cast(r.${ident(column.name)} as ${trino.declaredType(column.type)}) as ${ident(column.name)}`,
  )
  let verb: Fragment = sql`create table ${ident(name)} as`
  for (const part of partsOf(rows)) {
    const copied = sql`${verb} select ${join(cells, sql`, `)} from ${relation('copied')} as r`
    await runFragment(executor, copied, { inline: [{ name: 'copied', columns: inlined, rows: part }] })
    verb = sql`insert into ${ident(name)}`
  }
}

function* partsOf(rows: readonly (readonly BoundValue[])[]): Generator<readonly (readonly BoundValue[])[]> {
  let part: (readonly BoundValue[])[] = []
  let size = 0
  for (const row of rows) {
    part.push(row)
    size += JSON.stringify(row).length
    if (size < MOST_CHARACTERS) continue
    yield part
    part = []
    size = 0
  }
  if (part.length > 0 || rows.length === 0) yield part
}

/** The recorded tables that the connector reads, as a tool that follows the changes of a database copies them. */
export async function copyRecording(executor: TrinoExecutor): Promise<void> {
  const { tables } = readSchema()
  for (const name of PROBED_TABLES) {
    const columns = (tables[name]?.columns ?? []).filter(({ type }) => type !== 'blob')
    if (columns.length === 0) continue
    const fixture = readFixture(name)
    const places = columns.map((column) => fixture.columns.indexOf(column.name))
    const rows = fixture.rows.map((row) =>
      columns.map((column, index): BoundValue => cellOf(row[places[index] ?? -1] ?? null, column)),
    )
    const typed = columns.map((column) => ({ name: column.name, type: typeOf(column) }))
    await createTrinoTable(executor, name, typed, rows)
  }
}

function cellOf(cell: string | null, { type }: KillbillColumn): BoundValue {
  return type === 'boolean' && cell !== null ? cell === 't' : cell
}

function typeOf({ type }: KillbillColumn): CacheType {
  const [, precision, scale] = /^decimal\((\d+),(\d+)\)$/.exec(type) ?? []
  if (precision !== undefined) return { precision: Number(precision), scale: Number(scale) }
  if (type === 'bigint' || type === 'integer') return 'integer'
  if (type === 'datetime') return 'timestamp'
  return type === 'date' || type === 'boolean' ? type : 'text'
}
