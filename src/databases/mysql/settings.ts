import type { ClientScript } from '../../ports/snapshot.ts'
import { type Limits, MEBIBYTE } from '../options.ts'
import { isVersionFrom } from '../server-version.ts'

export type MysqlVariant = 'mysql' | 'mariadb'

/** Begins the snapshot of a session. */
export const BEGIN = 'start transaction with consistent snapshot, read only'

/** Values of session variables by name, as SHOW VARIABLES writes them. */
export type MysqlSettings = Readonly<Record<string, string>>

const NO_LIMIT = '18446744073709551615'

/**
 * The first statement of a connection. A lower limit would cut or refuse answers, those of SHOW included. sql_big_selects comes
 * last, because setting max_join_size clears it.
 */
export const UNLIMITED = `set @@session.sql_select_limit = ${NO_LIMIT}, @@session.max_join_size = ${NO_LIMIT}, @@session.sql_big_selects = 1`

// MySQL 8's defaults for reading: neither ANSI_QUOTES nor PIPES_AS_CONCAT, and grouping as strict as on PostgreSQL.
const SQL_MODE = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** Settings that can change a result. MySQL knows some of these names, MariaDB others. */
const EXACT: MysqlSettings = {
  transaction_isolation: 'REPEATABLE-READ',
  tx_isolation: 'REPEATABLE-READ',
  transaction_read_only: 'ON',
  tx_read_only: 'ON',
  autocommit: 'ON',
  // A rollback neither opens a transaction nor ends the connection.
  completion_type: 'NO_CHAIN',
  time_zone: '+00:00',
  sql_mode: SQL_MODE,
  old_mode: '',
  sql_auto_is_null: 'OFF',
  div_precision_increment: '4',
  windowing_use_high_precision: 'ON',
  // Sorting compares only this many bytes of a text. The longest attribute has 16,000 characters.
  max_sort_length: '65536',
  group_concat_max_len: '1048576',
  // At this depth MariaDB stops a recursion without an error. The time limit of the statement ends an endless recursion.
  cte_max_recursion_depth: '4294967295',
  max_recursive_iterations: '4294967295',
  standard_compliant_cte: 'ON',
  big_tables: 'OFF',
  default_regex_flags: '',
  // With another value, MariaDB reads versioned tables as they were at another time.
  system_versioning_asof: 'DEFAULT',
  // HeatWave's copies of tables and MariaDB's query cache may differ from the snapshot.
  use_secondary_engine: 'OFF',
  query_cache_type: 'OFF',
  // privileges.ts parses the grants, and expects quoted names.
  sql_quote_show_create: 'ON',
}

/** Settings that the driver requests when it connects. */
const OWN_TEXTS: MysqlSettings = {
  character_set_client: 'utf8mb4',
  character_set_results: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  collation_connection: 'utf8mb4_unicode_ci',
}
// Applied if the server has changed one of these settings. Literal texts and bound values then both have the server's collation
// of utf8mb4. Setting collation_connection would change the collation of literal texts only, and MariaDB refuses to compare texts
// of two collations.
const SERVER_TEXTS: MysqlSettings = {
  character_set_client: 'utf8mb4',
  character_set_results: 'utf8mb4',
  character_set_connection: 'utf8mb4',
}

/** Settings of the planner: the servers' default values. */
const PLANNING: Readonly<Record<MysqlVariant, MysqlSettings>> = {
  mariadb: {
    optimizer_search_depth: '62',
    // With 0, a list that joins many tables takes minutes. Versions before 10.10 have 1 (PRUNE_LEVEL_BEFORE).
    optimizer_prune_level: '2',
    optimizer_use_condition_selectivity: '4',
    join_cache_level: '2',
    in_predicate_conversion_threshold: '1000',
  },
  mysql: {
    optimizer_prune_level: '1',
    // With 0, the server chooses how far it looks ahead. By default it compares every order of up to 62 tables, which takes hours for a
    // statement that joins twenty.
    optimizer_search_depth: '0',
  },
}

/** Settings for a client: those that can change an answer, and the one with which a statement could take hours. */
const FOR_CLIENTS = [
  ...['time_zone', 'sql_mode', 'div_precision_increment', 'max_sort_length', 'group_concat_max_len'],
  'optimizer_search_depth',
]
const RECURSION: Readonly<Record<MysqlVariant, string>> = {
  mysql: 'cte_max_recursion_depth',
  mariadb: 'max_recursive_iterations',
}

/** The settings of a snapshot for the client `mysql` or `mariadb`. A setting of the other server would be an error. */
export function clientScript(variant: MysqlVariant): ClientScript {
  const isWanted = (name: string) => FOR_CLIENTS.includes(name) || name === RECURSION[variant]
  const settings = Object.entries({ ...EXACT, ...PLANNING[variant] }).filter(([name]) => isWanted(name))
  const { character_set_connection, collation_connection } = OWN_TEXTS
  return {
    before: [
      `set names ${character_set_connection} collate ${collation_connection}`,
      setStatement(Object.fromEntries(settings)),
      BEGIN,
    ],
    after: ['rollback'],
  }
}

/** The oldest MariaDB with a prune level of 2, and the value that earlier versions ship with. */
const PRUNE_LEVEL_FROM = [10, 10]
const PRUNE_LEVEL_BEFORE: MysqlSettings = { optimizer_prune_level: '1' }

/** Reads the version and the server's values of the settings. */
export const READ_SETTINGS = `show session variables where variable_name in (${[
  'version',
  'optimizer_switch',
  'max_statement_time',
  'max_execution_time',
  ...Object.keys(EXACT),
  ...Object.keys(OWN_TEXTS),
  ...Object.values(PLANNING).flatMap((settings) => Object.keys(settings)),
]
  .map((name) => `'${name}'`)
  .join(', ')})`

/** Product names of the variants. */
export const PRODUCTS = { mysql: 'MySQL', mariadb: 'MariaDB' } as const

/** The server that reports this version text: MySQL or MariaDB. */
export function variantOf(version: string): MysqlVariant {
  return /mariadb/i.test(version) ? 'mariadb' : 'mysql'
}

/** The settings that a connection must change, given the server's values. */
export function requiredSettings(found: MysqlSettings, limits: Limits): MysqlSettings {
  const version = found['version'] ?? ''
  const variant = variantOf(version)
  const limitMs = Math.max(1, Math.ceil(limits.statementTimeoutMs))
  const wanted = {
    ...EXACT,
    ...PLANNING[variant],
    ...(variant === 'mariadb' && !isVersionFrom(version, PRUNE_LEVEL_FROM) ? PRUNE_LEVEL_BEFORE : {}),
    ...(variant === 'mariadb' ? { max_statement_time: String(limitMs / 1000) } : { max_execution_time: String(limitMs) }),
    optimizer_switch: variant === 'mariadb' ? SHIPPED_SWITCHES : switchesFor(found['optimizer_switch'] ?? ''),
  }
  const differing = Object.entries(wanted).filter(([name, value]) => name in found && found[name] !== value)
  const isOwnText = Object.entries(OWN_TEXTS).every(([name, value]) => found[name] === value)
  return { ...Object.fromEntries(differing), ...(isOwnText ? {} : SERVER_TEXTS) }
}

// `default` would give the value that the operator chose. This subquery gives the value that MariaDB ships with.
const SHIPPED_SWITCHES =
  "(select default_value from information_schema.system_variables where variable_name = 'OPTIMIZER_SWITCH')"

// MySQL does not report its default switches, so they are listed here. Switches of later versions keep the server's value.
// derived_condition_pushdown (MySQL 8.0.22 and later) is off in every version, because with it MySQL 8.0.31 loses rows of
// statements with bound values. The switch derived_merge is off, because MySQL estimates no rows for most derived tables. When it
// merges them into one join, it reads them in an order that multiplies their rows.
const SWITCHED_OFF = [
  'batched_key_access',
  'use_invisible_indexes',
  'subquery_to_derived',
  'hypergraph_optimizer',
  'derived_condition_pushdown',
  'derived_merge',
]
const SWITCHED_ON = [
  ...['index_merge', 'index_merge_union', 'index_merge_sort_union', 'index_merge_intersection', 'engine_condition_pushdown'],
  ...[
    'index_condition_pushdown',
    'mrr',
    'mrr_cost_based',
    'block_nested_loop',
    'materialization',
    'semijoin',
    'loosescan',
    'firstmatch',
  ],
  ...['duplicateweedout', 'subquery_materialization_cost_based', 'use_index_extensions', 'condition_fanout_filter'],
  ...['skip_scan', 'hash_join', 'prefer_ordering_index'],
]

function switchesFor(found: string): string {
  const known = found.split(',').map((pair) => pair.split('=')[0] ?? '')
  const off = SWITCHED_OFF.filter((name) => known.includes(name)).map((name) => `${name}=off`)
  const on = SWITCHED_ON.filter((name) => known.includes(name)).map((name) => `${name}=on`)
  return [...on, ...off].join(',')
}

/**
 * Settings that make statements faster and change no result. Some servers reserve them for administrators. A window function
 * reads its temporary table in sorted order. If this table is on disk, the whole statement takes twice as long.
 */
export function memorySettings(limits: Limits): MysqlSettings {
  const table = limits.sessionMemoryBytes
  const sort = Math.min(Math.floor(table / 4), 64 * MEBIBYTE)
  return {
    tmp_table_size: String(table),
    max_heap_table_size: String(table),
    sort_buffer_size: String(sort),
  }
}

/** One statement that applies all settings. There must be at least one. */
export function setStatement(settings: MysqlSettings): string {
  const one = ([name, value]: readonly [string, string]) => `@@session.${name} = ${literal(value)}`
  return `set ${Object.entries(settings).map(one).join(', ')}`
}

/** Numbers, DEFAULT and the subquery above are written without quotes. Everything else is a quoted text, ON and OFF included. */
function literal(value: string): string {
  return value === SHIPPED_SWITCHES || /^(\d+(\.\d+)?|DEFAULT)$/.test(value) ? value : `'${value}'`
}
