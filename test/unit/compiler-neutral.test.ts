import { describe, expect, it } from 'vitest'
import { scanNeutralSql } from '../../src/compiler/neutral.ts'

const scan = (text: string) => scanNeutralSql('a.sql', text).map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('scanNeutralSql', () => {
  const banned: readonly (readonly [string, string])[] = [
    ['select a::text from t', '::: PostgreSQL only'],
    ['select cast(a as text) from t', 'text: a cast to it does not mean the same on both sides: write fn.text(x)'],
    ['select cast(coalesce(a, b) as bigint) from t', 'bigint: a cast to it does not mean the same'],
    ['select a || b from t', '||: MySQL reads it as OR'],
    ['select count(*) filter (where a) from t', 'filter: unknown to MySQL'],
    ['select a / b from t', '/: 5 / 2 is 2'],
    ['select now() from t', 'now: the clock'],
    ['select current_date from t', 'current_date: the clock'],
    ["select a + interval '1 day' from t", 'interval: its literals differ'],
    ["select date_trunc('day', a) from t", 'date_trunc: PostgreSQL only'],
    ["select date_format(a, '%Y') from t", 'date_format: MySQL only'],
    ['select extract(year from a) from t', 'extract: its type differs'],
    ['select a from t full join u on true', 'full: unknown to MySQL'],
    ['select distinct on (a) a from t', 'distinct: PostgreSQL only'],
    ['select a is distinct from b from t', 'distinct: PostgreSQL only'],
    ['select a from t, lateral (select 1) as u', 'lateral: MariaDB has none'],
    ['select a from t qualify a = 1', 'qualify: neither'],
    ["select a ilike 'x' from t", 'ilike: PostgreSQL only'],
    ['select "a" from t', '"a": quotation marks differ'],
    ['select `a` from t', '`a`: quotation marks differ'],
    ['with recursive n as (select 1 as x) select x from n', 'recursive: calendars'],
    ['select a as rank from t', 'rank: a reserved word'],
    ['select a as user from t', 'user: a reserved word'],
    ['with change as (select 1 as x) select x from change', 'change: a reserved word'],
    ['select a from t order by a nulls first', 'nulls: '],
    ['select greatest(a, b) from t', 'greatest: a null argument'],
    ["select concat('invoice ', t.id) from t", 'concat: Trino concatenates texts only: write fn.text(x)'],
    ["select concat(fn.text(a), ' ', coalesce(b, c)) from t", 'concat: Trino'],
    ["select concat(fn.text(a), fn.integer(b), ' ') from t", 'concat: Trino'],
    ['select concat(substr(a, 1, 2), fn.text(b) + 1) from t', 'concat: Trino'],
    ["select concat(:plan, ':') from t", 'concat: Trino'],
    ['select soundex(a) from t', 'soundex: not on the list'],
    ["select regexp_replace(a, 'b', '') from t", 'regexp_replace: replaces the first match'],
    ["select 'a\\n' from t", "'a\\n': MySQL reads a backslash"],
    ["select e'a' from t", 'e: prefixes of literals differ'],
    ['select a != b from t', '!: write <>'],
    ['select round(a, b) from t', 'round: DuckDB rounds to a literal number'],
    ['select round(a, case when b then 0 else 2 end) from t', 'round: DuckDB rounds to a literal number'],
    ['select cast(a as decimal(39, 0)) from t', 'decimal: DuckDB'],
    ['select t.a from t left join u on u.a = t.a and (t.b is null or u.b < t.b)', 'or: DuckDB compares every pair'],
    [
      'select t.a from t left outer join (select 1 as a) as u on u.a = t.a and t.b = 1 where 1 = 1',
      't: DuckDB compares every pair',
    ],
    ['select a <=> b from t', '<: MySQL only: write fn.null_safe_equal'],
    ["select a ->> 'b' from t", '-: JSON operators differ'],
    ['select a --b\nfrom t', '--b: MySQL takes -- for a comment only'],
    ['select a /* b /* c */ from t', '/* b /* c */: PostgreSQL nests comments'],
  ]

  it.each(banned)('%s', (text, message) => {
    expect(scan(text).map((found) => found.replace(/^\d+:\d+ /, ''))).toEqual([expect.stringContaining(message)])
  })

  it('says where', () => {
    expect(scan('select 1 as x\n  , now() as y')).toEqual(['2:5 now: the clock supplies the moment: declare a parameter'])
  })

  it('leaves literals and comments alone', () => {
    expect(scan("select 'now() || ::' as x -- a / b, now()\n/* interval */ from t")).toEqual([])
  })

  it('accepts what both databases understand', () => {
    const text = `with one as (
      select a.x, cast(a.y as date) as y, cast(a.z as decimal(10, 2)) as z, fn.lower(a.name) as name,
        round(a.x, 2) as whole, cast(a.x as decimal(38, 0)) as wide,
        sum(case when a.x > 0 then 1 else 0 end) over (partition by a.x order by a.y) as running,
        regexp_replace(a.name, '-trial$', '') as plan, row_number() over w as place, a.rank, a.usage
      from relation.a as a
      left join b as b on b.x = a.x and b.day >= date '2024-01-01'
      window w as (partition by a.x order by a.y desc)
    )
    select distinct x, -1 * z as z, coalesce(concat(fn.text(plan), ':'), '') as plan,
      concat(fn.lower(a), coalesce(b, ''), substr(replace(c, ')', '('), 1, 9), CONCAT('a', fn.exact_text(coalesce(d, 1)))) as key_text from one where x in (:ids) and not (x <> 1 or x is null)`
    expect(scan(text)).toEqual([])
  })
})
