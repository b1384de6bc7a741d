import { northInserts, northRows, northTables } from '../../support/data/lago/north-rows.ts'
import { type BenchDatabase, type BenchServer, DATABASE_PREFIX } from '../bench-database.ts'
import { keptDatabase, type Making } from '../kept-database.ts'

/** Raise it when other rows come out. */
const GENERATOR_VERSION = 1
const MARKER = 'plumbline_bench'
/** Rows of `subscriptions` in the recorded organization. */
const RECORDED = 590
/** Tables whose rows are not multiplied. */
const ONCE = ['organizations', 'billing_entities', 'add_ons']
const ONCE_COLUMNS = ['organization_id', 'billing_entity_id', 'add_on_id']
const DAYS = 28
/** Coprime with DAYS: neighbouring copies lie far apart. */
const DAYS_STEP = 11
const COPIES_AT_ONCE = 20

/** A Lago database with at least that many rows of `subscriptions`, made if the server does not have it, or if it is to be `fresh`. */
export async function lagoDatabase(server: BenchServer, size: number, { fresh, progress }: Making): Promise<BenchDatabase> {
  const name = `${DATABASE_PREFIX}lago_${size}_v${GENERATOR_VERSION}`
  return keptDatabase(server, { name, marker: MARKER, fresh }, (database) =>
    generate(database, Math.ceil(size / RECORDED), progress),
  )
}

/** Copies have other ids, and have happened up to four weeks earlier. */
async function generate(database: BenchDatabase, copies: number, progress: (text: string) => void): Promise<void> {
  const run = (text: string) => database.adminQuery(text)
  await run('set session_replication_role = replica; set synchronous_commit = off')
  await run(northTables())
  const tables = northRows()
  for (const statement of northInserts(tables)) await run(statement)
  await run(`create table copies (n bigint primary key, prefix text not null, shift interval not null, days integer not null);
insert into copies select n, lpad(to_hex(n), 8, '0'), make_interval(days => cast(n * ${DAYS_STEP} % ${DAYS} as integer), secs => n * 37 % 3600),
  n * ${DAYS_STEP} % ${DAYS} from generate_series(1, ${copies - 1}) as n`)
  const [row] = await run('select max(id) as top from versions')
  for (const { table, columns } of tables.filter((one) => !ONCE.includes(one.table))) {
    progress(table)
    const types = await run(
      `select column_name, data_type from information_schema.columns where table_schema = 'public' and table_name = '${table}'`,
    )
    const typeOf = new Map(types.map((one) => [`"${one['column_name']}"`, String(one['data_type'])]))
    const cells = columns.map((column) => cellOf(table, column, typeOf.get(column) ?? '', String(row?.['top'])))
    await run(`create table recorded as select * from ${table}`)
    for (let first = 1; first < copies; first += COPIES_AT_ONCE)
      await run(`insert into ${table} (${columns.join(', ')}) select ${cells.join(', ')} from copies as copy cross join recorded as origin
where copy.n between ${first} and ${first + COPIES_AT_ONCE - 1} order by copy.n`)
    await run('drop table recorded')
  }
  progress('statistics')
  await run('drop table copies')
  await run('vacuum analyze')
  await run(`create table ${MARKER} (made boolean)`)
}

const ID = '"[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"'

function cellOf(table: string, column: string, type: string, lastVersion: string): string {
  const name = column.replaceAll('"', '')
  const origin = `origin.${column}`
  if (ONCE_COLUMNS.includes(name)) return origin
  if (type === 'uuid') return `cast(copy.prefix || substr(cast(${origin} as text), 9) as uuid)`
  if (table === 'versions' && name === 'id') return `${origin} + copy.n * ${lastVersion}`
  if (table === 'versions' && name === 'item_id') return `copy.prefix || substr(${origin}, 9)`
  if (table === 'versions' && type === 'jsonb')
    return `cast(regexp_replace(cast(${origin} as text), '${ID}', '"' || copy.prefix || '\\1"', 'g') as jsonb)`
  if (type.startsWith('timestamp')) return `${origin} - copy.shift`
  if (type === 'date') return `${origin} - copy.days`
  if (table === 'customers' && name === 'external_id') return `${origin} || '-' || copy.n`
  return origin
}
