import type { ClientScript } from '../../ports/snapshot.ts'
import { pgDriver } from '../driver.ts'
import { type Limits, MEBIBYTE } from '../options.ts'

const READ_ONLY_TRANSACTION = 'isolation level repeatable read, read only'

/** Statements that open a read-only snapshot on a server: transaction, then settings that end with it. */
export function beginStatements(limits: Limits, schema: string | undefined): readonly string[] {
  return [`begin transaction ${READ_ONLY_TRANSACTION}`, timeLimit(limits), ...commonSettings(limits, schema)]
}

/** The statements for PGlite, which opens the transaction itself and has no time limit. */
export function embeddedBeginStatements(limits: Limits, schema: string | undefined): readonly string[] {
  return [`set transaction ${READ_ONLY_TRANSACTION}`, ...commonSettings(limits, schema)]
}

/** Identifies a server: no two start in the same microsecond. */
export const READ_SERVER = 'select extract(epoch from pg_postmaster_start_time())::text as server'

/** Statements that begin a read-only transaction for one statement before the snapshot. */
export function aloneStatements(limits: Limits): readonly string[] {
  return ['begin transaction read only', timeLimit(limits)]
}

function timeLimit({ statementTimeoutMs }: Limits): string {
  return `set local statement_timeout = ${Math.ceil(statementTimeoutMs)}`
}

// Settings of a server, a role or a database that can change a result, or lead to a plan that takes minutes. The values are PostgreSQL's
// defaults, but for `enable_memoize`: it would keep each document of a mirror in memory to find it again. A server knows only some of the names.
const EXACT: Readonly<Record<string, string>> = {
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  lc_numeric: 'C',
  lc_monetary: 'C',
  lc_time: 'C',
  // An index of type GIN returns only some of the rows if this is set.
  gin_fuzzy_search_limit: '0',
  lock_timeout: '0',
  plan_cache_mode: 'auto',
  constraint_exclusion: 'partition',
  from_collapse_limit: '8',
  join_collapse_limit: '8',
  geqo: 'on',
  geqo_threshold: '12',
  cursor_tuple_fraction: '0.1',
  parallel_setup_cost: '1000',
  parallel_tuple_cost: '0.1',
  min_parallel_table_scan_size: '8MB',
  min_parallel_index_scan_size: '512kB',
  debug_parallel_query: 'off',
  force_parallel_mode: 'off',
  enable_bitmapscan: 'on',
  enable_gathermerge: 'on',
  enable_hashagg: 'on',
  enable_hashjoin: 'on',
  enable_incremental_sort: 'on',
  enable_indexonlyscan: 'on',
  enable_indexscan: 'on',
  enable_material: 'on',
  enable_memoize: 'off',
  enable_parallel_append: 'on',
  enable_parallel_hash: 'on',
  enable_partition_pruning: 'on',
  enable_presorted_aggregate: 'on',
  enable_seqscan: 'on',
  enable_sort: 'on',
  enable_tidscan: 'on',
}

const LIST = Object.entries(EXACT)
  .map(([name, value]) => `('${name}', '${value}')`)
  .join(', ')

const SET_EXACT = `
select set_config(wanted.name, wanted.value, true) from (values ${LIST}) as wanted (name, value)
where current_setting(wanted.name, true) <> wanted.value`

// One schema, even if a role or a database names several. Otherwise tables of two schemas could be mixed. Functions before pg_catalog, or
// temporary tables that another user of the connection left behind, could replace the real ones.
const SET_OWN_SCHEMA = `
select pg_catalog.set_config('search_path', pg_catalog.concat(pg_catalog.quote_ident(place.name), ', pg_temp'), true)
from pg_catalog.unnest(pg_catalog.current_schemas(false)) with ordinality as place (name, number)
where place.name not like 'pg\\_%' order by place.number limit 1`

/** Settings that every answer needs, whatever the defaults of the server. */
const NEEDED: readonly string[] = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, YMD'",
  // Policies that hide rows then cause an error. Otherwise they would make the answer smaller.
  'set local row_security = off',
  // Compilation does not pay off for statements that run once. The planner chooses it because it expects far too many rows.
  'set local jit = off',
  // The planner expects one row from a chain of CTEs and would choose nested loops. They take minutes, and hash joins take a
  // second.
  'set local enable_nestloop = off',
  'set local enable_mergejoin = off',
]

function commonSettings(limits: Limits, schema: string | undefined): readonly string[] {
  return [
    schema === undefined ? SET_OWN_SCHEMA : searchPath(schema),
    SET_EXACT,
    `set local work_mem = '${Math.ceil(limits.sessionMemoryBytes / MEBIBYTE)}MB'`,
    ...NEEDED,
  ]
}

function searchPath(schema: string): string {
  return `set local search_path = ${pgDriver().escapeIdentifier(schema)}, pg_temp`
}

/** The settings of a snapshot for `psql`. Without a schema, the client finds the tables as the product does. */
export function clientScript(schema: string | undefined): ClientScript {
  return {
    before: [`begin transaction ${READ_ONLY_TRANSACTION}`, ...(schema === undefined ? [] : [searchPath(schema)]), ...NEEDED],
    after: ['rollback'],
  }
}
