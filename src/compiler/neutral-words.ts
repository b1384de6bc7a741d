/** Words that have no place in neutral SQL, with what to write instead. */
export const BANNED_WORDS: Readonly<Record<string, string>> = {
  interval: 'its literals differ: join relation.period, or write fn.add_period(t, months, days)',
  current_date: 'the clock supplies the moment: declare a parameter',
  current_time: 'the clock supplies the moment: declare a parameter',
  current_timestamp: 'the clock supplies the moment: declare a parameter',
  localtime: 'the clock supplies the moment: declare a parameter',
  localtimestamp: 'the clock supplies the moment: declare a parameter',
  lateral: 'MariaDB has none: use a window function in a CTE',
  qualify: 'neither database has it: filter on a window function in an outer select',
  ilike: 'PostgreSQL only: write fn.like(fn.lower(x), pattern) with a lower-case pattern',
  similar: 'PostgreSQL only: write fn.like or regexp_replace',
  rlike: 'MySQL only: write fn.like',
  regexp: 'MySQL only: write fn.like',
  recursive: 'calendars come from relation.period; other recursion is not portable in speed',
  materialized: 'PostgreSQL only',
  nulls: '`nulls first` is unknown to MySQL: order by a case expression',
  except: 'unknown to MySQL before 8.0.31: use not in or an anti-join',
  intersect: 'unknown to MySQL before 8.0.31: use in or a join',
  values: 'row constructors differ: use an inline relation, or select … union all',
  returning: 'the billing database is never written to',
  straight_join: 'MySQL only',
  div: 'MySQL only: write fn.int_div(a, b)',
  collate: 'collation names differ: the dialect and inline relations take care of text',
}

/** Functions that do not behave alike, with what to write instead; all others not listed below are refused without advice. */
export const BANNED_FUNCTIONS: Readonly<Record<string, string>> = {
  now: 'the clock supplies the moment: declare a parameter',
  curdate: 'the clock supplies the moment: declare a parameter',
  sysdate: 'the clock supplies the moment: declare a parameter',
  utc_timestamp: 'the clock supplies the moment: declare a parameter',
  date_trunc: 'PostgreSQL only: write fn.month_start(t) or join relation.period',
  date_format: 'MySQL only: write fn.month_start(t), fn.text(t) or join relation.period',
  to_char: 'PostgreSQL only: write fn.text(x)',
  extract: 'its type differs: write fn.months_between(a, b) or join relation.period',
  year: 'MySQL only: write fn.months_between(a, b) or join relation.period',
  month: 'MySQL only: write fn.months_between(a, b) or join relation.period',
  date_add: 'MySQL only: write fn.add_period(t, months, days)',
  date_sub: 'MySQL only: write fn.add_period(t, months, days)',
  timestampdiff: 'MySQL only: write fn.microseconds_between(a, b) or fn.months_between(a, b)',
  datediff: 'MySQL only: write fn.microseconds_between(a, b)',
  filter: 'unknown to MySQL: write sum(case when … then 1 else 0 end)',
  avg: 'its digits differ: select sum and count and divide in TypeScript',
  div: 'PostgreSQL only: write fn.int_div(a, b)',
  greatest: 'a null argument is skipped by PostgreSQL and wins on MySQL: write case when',
  least: 'a null argument is skipped by PostgreSQL and wins on MySQL: write case when',
  ifnull: 'MySQL only: write coalesce(a, b)',
  if: 'MySQL only: write case when',
  lower: 'write fn.lower(x)',
  length: 'counts bytes on MySQL and characters on PostgreSQL: write char_length(x)',
  group_concat: 'MySQL only: fold rows in TypeScript',
  string_agg: 'PostgreSQL only: fold rows in TypeScript',
  array_agg: 'PostgreSQL only: fold rows in TypeScript',
  bool_or: 'PostgreSQL only: write max(case when … then 1 else 0 end)',
  bool_and: 'PostgreSQL only: write min(case when … then 1 else 0 end)',
  json_extract: 'write fn.json_text(doc, path)',
  json_value: 'write fn.json_text(doc, path)',
}

/** Functions measured to behave alike, and the keywords that a parenthesis may follow. */
export const NEUTRAL_BEFORE_PARENTHESIS: ReadonlySet<string> = new Set(
  `count sum min max coalesce nullif concat replace trim lpad substr char_length round abs sign floor mod cast regexp_replace
  row_number rank dense_rank lag lead first_value last_value over
  all and as between by case distinct else exists from having in join like not on or select then union using when where`.split(
    /\s+/,
  ),
)

/** Type names that CAST understands on both sides; the others with what to write instead. */
export const CAST_TYPES: ReadonlySet<string> = new Set(['date', 'decimal'])
export const CAST_ADVICE: Readonly<Record<string, string>> = {
  text: 'write fn.text(x)',
  char: 'write fn.text(x)',
  varchar: 'write fn.text(x)',
  integer: 'write fn.integer(x)',
  int: 'write fn.integer(x)',
  bigint: 'write fn.integer(x)',
  signed: 'write fn.integer(x)',
  unsigned: 'write fn.integer(x)',
}
