/** Settings by name, as SQL writes their values. */
export type Hostile = Readonly<Record<string, string>>

/** A server's settings that its operator may choose, and what runs at the start of each session of a role that is no administrator. */
export interface HostileServer {
  readonly global: Hostile
  readonly atConnect: readonly string[]
}

const SQL_MODES = [
  'ANSI_QUOTES',
  'PIPES_AS_CONCAT',
  'NO_BACKSLASH_ESCAPES',
  'PAD_CHAR_TO_FULL_LENGTH',
  'HIGH_NOT_PRECEDENCE',
  'NO_UNSIGNED_SUBTRACTION',
  'REAL_AS_FLOAT',
  'IGNORE_SPACE',
].join()

const MYSQL_FAMILY: Hostile = {
  sql_mode: `'${SQL_MODES}'`,
  div_precision_increment: '0',
  group_concat_max_len: '4',
  eq_range_index_dive_limit: '0',
  max_seeks_for_key: '1',
  optimizer_search_depth: '1',
  optimizer_prune_level: '0',
  join_buffer_size: '16384',
  big_tables: 'ON',
  tmp_table_size: '16384',
  max_heap_table_size: '16384',
  time_zone: "'-07:00'",
}

const CUT_ROWS = 'set sql_select_limit = 2, max_join_size = 10'
const STRANGE_SESSION = [
  "set names latin1 collate 'latin1_general_cs'",
  'set sql_auto_is_null = 1, sql_quote_show_create = 0, timestamp = 86400, autocommit = 0',
]

const MYSQL_ONLY: Hostile = {
  max_sort_length: '4',
  windowing_use_high_precision: 'OFF',
  cte_max_recursion_depth: '0',
  internal_tmp_mem_storage_engine: 'MEMORY',
  range_optimizer_max_mem_size: '1',
}

const MARIADB_ONLY: Hostile = {
  max_sort_length: '8',
  max_recursive_iterations: '0',
  default_regex_flags: "'EXTENDED,MULTILINE'",
  old_mode: "'NO_DUP_KEY_WARNINGS_WITH_IGNORE,ZERO_DATE_TIME_CAST'",
  join_cache_level: '8',
  optimizer_use_condition_selectivity: '1',
  in_predicate_conversion_threshold: '2',
  system_versioning_asof: "'2001-01-01 00:00:00'",
}

/** By name: each is a server by itself. */
export const HOSTILE_SERVERS: Readonly<Record<'mysql' | 'mariadb', Readonly<Record<string, HostileServer>>>> = {
  mysql: hostile(MYSQL_ONLY),
  mariadb: hostile(MARIADB_ONLY),
}

function hostile(own: Hostile): Readonly<Record<string, HostileServer>> {
  return {
    'rows are cut at the start of a session': { global: {}, atConnect: [CUT_ROWS] },
    'rows are cut for everybody': { global: { sql_select_limit: '0', max_join_size: '1' }, atConnect: [] },
    'a strange session': { global: {}, atConnect: [...STRANGE_SESSION, 'set completion_type = 2'] },
    'strange arithmetic, texts and plans': { global: { ...MYSQL_FAMILY, ...own }, atConnect: ['set completion_type = 1'] },
  }
}

/** The settings that a role or a database may have on PostgreSQL. */
export const HOSTILE_ROLE: Hostile = {
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  intervalstyle: "'sql_standard'",
  datestyle: "'German, DMY'",
  timezone: "'Asia/Kathmandu'",
  extra_float_digits: '-15',
  bytea_output: "'escape'",
  lc_numeric: "'C.UTF-8'",
  gin_fuzzy_search_limit: '1',
  lock_timeout: "'1ms'",
  // Even `begin` takes a millisecond where the processors are busy.
  statement_timeout: "'25ms'",
  default_transaction_isolation: "'read uncommitted'",
  default_transaction_deferrable: 'on',
  client_encoding: "'LATIN1'",
  search_path: '"$user", pg_temp, public, pg_catalog',
  row_security: 'on',
}

/** How plans are made on PostgreSQL, one way and another. */
export const HOSTILE_PLANS: Readonly<Record<string, Hostile>> = {
  'no plan is liked': Object.fromEntries(
    [
      ...['bitmapscan', 'gathermerge', 'hashagg', 'hashjoin', 'incremental_sort', 'indexonlyscan', 'indexscan', 'material'],
      ...[
        'memoize',
        'mergejoin',
        'nestloop',
        'parallel_append',
        'parallel_hash',
        'partition_pruning',
        'seqscan',
        'sort',
        'tidscan',
      ],
    ].map((name) => [`enable_${name}`, 'off']),
  ),
  'plans for any value, compiled, in parallel and by chance': {
    plan_cache_mode: "'force_generic_plan'",
    jit: 'on',
    jit_above_cost: '0',
    force_parallel_mode: 'on',
    max_parallel_workers_per_gather: '4',
    parallel_setup_cost: '0',
    parallel_tuple_cost: '0',
    min_parallel_table_scan_size: '0',
    geqo_threshold: '2',
    from_collapse_limit: '1',
    join_collapse_limit: '1',
    enable_partitionwise_join: 'on',
    enable_partitionwise_aggregate: 'on',
    constraint_exclusion: 'on',
    work_mem: "'64kB'",
    random_page_cost: '100',
    cursor_tuple_fraction: '0',
  },
}
