import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseTemplate, TemplateError } from '../../src/compiler/template.ts'
import { packageRoot } from '../../src/core/package-root.ts'

const relation = (body: string, header = '') => parseTemplate('x/a.sql', `-- relation: a\n${header}${body}`)

/** The problems without the file's name. */
function problemsOf(text: string, file = 'x/a.sql'): string[] {
  try {
    parseTemplate(file, text)
  } catch (error) {
    if (error instanceof TemplateError) return error.message.split('\n').map((line) => line.slice(`${file}:`.length))
    throw error
  }
  return []
}

describe('parseTemplate', () => {
  it('reads the header of a query', () => {
    const text = `-- metric: m
-- query:  a
-- reads:  one, two
-- param:  start timestamp
-- param:  ids integers
-- Prose that says: nothing, and a param of prose.
select 1 as x /*{dimensions}*/ from relation.one as fact join relation.two as two on true where fact.at = :start and two.id in (:ids) /*{filters}*/
`
    expect(parseTemplate('sql/metrics/m/a.sql', text).header).toEqual({
      kind: 'query',
      metric: 'm',
      query: 'a',
      unsliced: false,
      reads: ['one', 'two'],
      params: new Map([
        ['start', 'timestamp'],
        ['ids', 'integers'],
      ]),
    })
  })

  it('knows the MySQL variant by the name of its file', () => {
    expect(parseTemplate('x/a.mysql.sql', '-- relation: a\nselect 1 as x').header).toMatchObject({
      relation: 'a',
      dialect: 'mysql',
    })
  })

  it('cuts the body into nodes and keeps everything else unchanged', () => {
    const header = '-- reads: b\n-- param: p text\n'
    expect(
      relation(`select fn.int_div(fn.integer(x), (1 + 2)) -- it's :p\nfrom relation.b as b where ':p' <> :p\n`, header).nodes,
    ).toEqual([
      { kind: 'text', text: 'select ' },
      {
        kind: 'fn',
        name: 'int_div',
        at: { line: 4, column: 8 },
        args: [
          [{ kind: 'fn', name: 'integer', at: { line: 4, column: 19 }, args: [[{ kind: 'text', text: 'x' }]] }],
          [{ kind: 'text', text: '(1 + 2)' }],
        ],
      },
      { kind: 'text', text: " -- it's :p\nfrom " },
      { kind: 'relation', name: 'b', at: { line: 5, column: 6 } },
      { kind: 'text', text: " as b where ':p' <> " },
      { kind: 'param', name: 'p', at: { line: 5, column: 36 } },
    ])
  })

  it('finds the names of CTEs and of tables', () => {
    const template = relation(
      'with one as (select 1 as x from accounts as a), two as (select x from one) select x from two join tags as t on true',
    )
    expect([...template.ctes]).toEqual(['one', 'two'])
    expect([...template.tables]).toEqual(['accounts', 'tags'])
  })

  it('accepts the example of sql/README.md', () => {
    const example = /```sql\n([\s\S]*?)```/.exec(readFileSync(join(packageRoot(), 'sql/README.md'), 'utf8'))?.[1] ?? ''
    expect(parseTemplate('by_currency.sql', example).header).toMatchObject({ metric: 'mrr', reads: ['mrr_span'] })
  })

  it('accepts a query without slots that says so', () => {
    expect(problemsOf('-- metric: m\n-- query: a\n-- unsliced\nselect 1 as x')).toEqual([])
  })
})

describe('messages of parseTemplate', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['an unknown parameter', '-- relation: a\nselect :b as x', ['2:8: :b is not declared: add `-- param: b <type>`']],
    ['one message per name', '-- relation: a\nselect :b as x, :b as y', ['2:8: :b is not declared: add `-- param: b <type>`']],
    ['an unused parameter', '-- relation: a\n-- param: b text\nselect 1 as x', ['2:1: :b is declared but never used']],
    [
      'a parameter only inside a literal',
      "-- relation: a\n-- param: b text\nselect ':b' as x",
      ['2:1: :b is declared but never used'],
    ],
    [
      'an unknown type',
      '-- relation: a\n-- param: b string\nselect :b as x',
      [
        '2:1: `param:` needs a name and one of the types text, integer, decimal, timestamp, date, boolean, json, integers, found `b string`',
        '3:8: :b is not declared: add `-- param: b <type>`',
      ],
    ],
    ['a parameter twice', '-- relation: a\n-- param: b text\n-- param: b text\nselect :b as x', ['3:1: :b is declared twice']],
    [
      'a relation not listed',
      '-- relation: a\nselect 1 as x from relation.b as b',
      ['2:20: relation.b is not listed in `-- reads:`'],
    ],
    [
      'a relation listed for nothing',
      '-- relation: a\n-- reads: b\nselect 1 as x',
      ['2:1: relation.b is listed in `reads:` but never used'],
    ],
    [
      'a relation without alias',
      '-- relation: a\n-- reads: b\nselect 1 as x from relation.b where true',
      ['3:20: relation.b needs an alias: `relation.b as fact`'],
    ],
    ['an alias without AS', '-- relation: a\n-- reads: b\nselect 1 as x from relation.b fact', []],
    [
      'a cast',
      '-- relation: a\nselect x::date as x from t',
      ['2:9: `::` is a cast of PostgreSQL only: give the parameter a type in the header, or write fn.text(x), fn.integer(x)'],
    ],
    [
      'an unknown function',
      '-- relation: a\nselect fn.month_strat(x) as x from t',
      [
        '2:8: unknown function fn.month_strat; did you mean fn.month_start? Functions: text, exact_text, integer, int_div, converted, month_start, clock, months_between, add_period, add_seconds, whole_second, microseconds_between, day_number, lower, like, null_safe_equal, json_text, total_of, is_among',
      ],
    ],
    [
      'a function with an argument missing',
      '-- relation: a\nselect fn.int_div(x) as x from t',
      ['2:8: fn.int_div takes 2 arguments, found 1'],
    ],
    [
      'an unknown slot',
      '-- metric: m\n-- query: a\nselect 1 as x /*{dimensions}*/ from t /*{filter}*/ /*{filters}*/',
      [
        '3:39: unknown slot `/*{filter}*/`; slots are /*{dimensions}*/ /*{dimension_names}*/ /*{joins}*/ /*{filters}*/ /*{group_by}*/ /*{order_by}*/ /*{page}*/',
      ],
    ],
    [
      'a query that cannot be sliced',
      '-- metric: m\n-- query: a\nselect 1 as x',
      [
        '1:1: the slot /*{dimensions}*/ is missing: a query that cannot be sliced says `-- unsliced`',
        '1:1: the slot /*{filters}*/ is missing: a query that cannot be sliced says `-- unsliced`',
      ],
    ],
    [
      'a slot in a relation',
      '-- relation: a\nselect 1 as x /*{filters}*/',
      ['2:15: a relation takes no slots, found /*{filters}*/'],
    ],
    ['another name than the file', '-- relation: b\nselect 1 as x', ['1:1: the file is named `a` but its header says `b`']],
    [
      'no header',
      'select 1 as x',
      [
        '1:1: the header must have either `-- metric:` and `-- query:` or `-- relation:` (`-- unsliced` belongs to a query, `-- fenced` and `-- needs:` to a relation)',
      ],
    ],
    [
      'a fence around a query',
      '-- metric: m\n-- query: a\n-- unsliced\n-- fenced\nselect 1 as x',
      [
        '1:1: the header must have either `-- metric:` and `-- query:` or `-- relation:` (`-- unsliced` belongs to a query, `-- fenced` and `-- needs:` to a relation)',
      ],
    ],
    [
      'a need of a query',
      '-- metric: m\n-- query: a\n-- unsliced\n-- needs: b\nselect 1 as x',
      [
        '1:1: the header must have either `-- metric:` and `-- query:` or `-- relation:` (`-- unsliced` belongs to a query, `-- fenced` and `-- needs:` to a relation)',
      ],
    ],
    ['a value behind a flag', '-- relation: a\n-- fenced: no\nselect 1 as x', ['2:1: `-- fenced` takes no value, found `no`']],
    [
      'a misspelt header line',
      '-- relation: a\n-- read: b\nselect 1 as x',
      ['2:1: unknown header line `read:`; did you mean `reads:`?'],
    ],
    ['no SQL', '-- relation: a\n', ['1:1: the file holds no SQL']],
    ['a semicolon', '-- relation: a\nselect 1 as x;', ['2:14: `;` is not allowed: a template is nested into other statements']],
    [
      'a foreign placeholder',
      '-- relation: a\nselect ? as x',
      ['2:8: `?` is a placeholder of MySQL: write :name and declare it in the header'],
    ],
    ['a comment that MySQL executes', '-- relation: a\nselect 1 as x /*! , 2 */', ['2:15: `/*!` is executed by MySQL']],
    ['an open literal', "-- relation: a\nselect 'b as x", ['2:8: string is never closed']],
    ['a parenthesis too many', '-- relation: a\nselect 1) as x', ['2:9: `)` closes nothing']],
    ['a parenthesis too few', '-- relation: a\nselect (1 as x', ['2:14: 1 `(` never closed']],
    [
      'a CTE name kept for relations',
      '-- relation: a\nwith rel_a as (select 1 as x) select x from rel_a',
      ['1:1: the CTE name rel_a begins with rel_, which is kept for relations'],
    ],
  ]

  it.each(cases)('%s', (_name, text, expected) => {
    expect(problemsOf(text)).toEqual(expected)
  })

  it('reports everything at once, in the order of the file', () => {
    expect(problemsOf('-- relation: a\n-- param: unused text\nselect :b as x, fn.nope(1) as y;')).toHaveLength(4)
  })
})
