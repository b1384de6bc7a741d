import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { TYPED_ROW_LIMIT } from '../../../src/compiler/dialects/inline-rows.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import {
  type BoundValue,
  digits,
  type Fragment,
  fn,
  ident,
  join,
  type ParamType,
  relation,
  sql,
  value,
} from '../../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../../src/compiler/inline.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { DIALECT_CASES, spelled } from '../../support/data/dialect-cases.ts'
import { EXACT_ROWS, READ_ROWS, rowsOf, TOTALS_OF_NOTHING, withPlainNumbers } from '../../support/data/inline-cases.ts'
import { describeTrino } from '../../support/databases/servers/shared-trino.ts'
import { trinoExecutor } from '../../support/databases/servers/trino-client.ts'
import { runFragment } from '../../support/product/run-fragment.ts'

// A statement takes Trino up to half a second, so one statement asks many cases.
describeTrino('the dialect', (server) => {
  let run: (fragment: Fragment, around?: { readonly inline: readonly InlineRelation[] }) => Promise<readonly Row[]>
  beforeAll(async () => {
    const executor = trinoExecutor(await server(), 'information_schema')
    run = (fragment, around) => runFragment(executor, fragment, around)
  })

  it('functions answer as those of the other databases', async () => {
    const cells = DIALECT_CASES.map(([, call], index) => sql`${call} as ${ident(`c${index}`)}`)
    const [row] = await run(sql`select ${join(cells, sql`, `)} from (select 1 as n) as single`)
    const answers = DIALECT_CASES.map(([name, call], index) => [name, spelled(row?.[`c${index}`], call)])
    expect(answers).toEqual(DIALECT_CASES.map(([name, , expected]) => [name, expected]))
  })

  it('int_div rounds neither the quotient of large numbers nor that of decimals', async () => {
    const cases = [
      ['99999999999999999', '100000000000000000', '0'],
      ['-999999999999999999', '100000000000000000', '-9'],
      ['299999999999', '100000000000', '2'],
      ['2.9', '1', '2'],
      ['-2.9', '1', '-2'],
      ['7', '0.5', '14'],
    ] as const
    const cells = cases.map(
      ([a, b], index) => sql`${fn('int_div', value(a, 'decimal'), value(b, 'decimal'))} as ${ident(`c${index}`)}`,
    )
    const [row] = await run(sql`select ${join(cells, sql`, `)}`)
    expect(Object.values(row ?? {})).toEqual(cases.map(([, , expected]) => expected))
  })

  it('values of every type come back as they were sent', async () => {
    const values: readonly (readonly [ParamType, BoundValue, string])[] = [
      ['integer', '-9223372036854775808', '-9223372036854775808'],
      ['integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
      ['integer', -1, '-1'],
      ['decimal', '-12345678901234567890123456.123456789012', '-12345678901234567890123456.123456789012'],
      ['timestamp', new Date('2024-02-29T12:34:56Z'), '2024-02-29 12:34:56'],
      ['timestamp', '2024-02-29 23:59:59.999999', '2024-02-29 23:59:59.999999'],
      ['timestamp', '0001-01-01 00:00:00', '0001-01-01 00:00:00'],
      ['timestamp', '9999-12-31 23:59:59.5', '9999-12-31 23:59:59.5'],
      ['date', '1000-01-01', '1000-01-01'],
      ['boolean', true, 'true'],
      ['boolean', false, 'false'],
    ]
    const cells = values.map(
      ([type, bound], index) =>
        sql`${value(bound, type)} as ${ident(`c${index}`)}, ${value(null, type)} as ${ident(`n${index}`)}`,
    )
    const [row] = await run(sql`select ${join(cells, sql`, `)}`)
    expect(values.map((_, index) => [String(row?.[`c${index}`]), row?.[`n${index}`]])).toEqual(
      values.map(([, , expected]) => [expected, null]),
    )
    const listed = sql`select n from (select 1 as n union all select 2 union all select 3) as three
      where n in (${value([2, 3, 4], 'integers')}) order by n ${trino.page(digits(1), digits(1))}`
    expect((await run(listed)).map(({ n }) => Number(n))).toEqual([3])
  })

  it('texts come back unchanged, whatever they hold', async () => {
    const hostile = fc.constantFrom(
      '',
      `'; drop table x --`,
      '\\',
      '\\0041',
      "U&'",
      '$1',
      '?',
      ':n',
      '*/',
      '\r\n\t\u0007',
      '\u202e',
      '😀',
    )
    const texts = fc.sample(
      fc
        .tuple(hostile, fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 10 }), hostile)
        .map((parts) => parts.join('').replaceAll(/\0|\p{Surrogate}/gu, '')),
      400,
    )
    const lines = texts.map((text, index) => sql`(${digits(index)}, ${value(text, 'text')})`)
    const rows = await run(sql`select place, word from (values ${join(lines, sql`, `)}) as sent (place, word) order by place`)
    expect(rows.map(({ word }) => word)).toEqual(texts)
  })

  it.each([2, TYPED_ROW_LIMIT + 1, 3_000])('%i inline rows keep every value exactly', async (count) => {
    const inline = [rowsOf(count)]
    expect(withPlainNumbers(await run(READ_ROWS, { inline })).slice(0, 2)).toEqual(EXACT_ROWS)
    const thing = relation('thing')
    const pairs = sql`select count(*) as n, count(a.word) as words, sum(case when a.word = ${value('Word 3', 'text')} then 1 else 0 end) as other
      from ${thing} as a join ${thing} as b on b.place = a.place`
    const [row] = await run(pairs, { inline })
    expect([Number(row?.['n']), Number(row?.['words']), Number(row?.['other'])]).toEqual([count, count - 1, 0])
  })

  it('no inline rows have columns with types all the same', async () => {
    const inline = [rowsOf(0)]
    expect(await run(READ_ROWS, { inline })).toEqual([])
    expect((await run(TOTALS_OF_NOTHING, { inline })).map((row) => [Number(row['n']), row['total'], row['latest']])).toEqual([
      [0, null, null],
    ])
  })
})
