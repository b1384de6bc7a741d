import { describe, expect, it } from 'vitest'
import { trino } from '../../src/compiler/dialects/trino.ts'
import { type BoundValue, digits, type Fragment, type ParamType, sql, value } from '../../src/compiler/fragment.ts'
import { literalText } from '../../src/compiler/literal.ts'
import { statementOf } from '../../src/connector-kit/query-runner.ts'

const textOf = (fragment: Fragment) => literalText(statementOf(fragment, trino, 'test'), 'trino').replace(/^.*\n/, '')

describe('the dialect of Trino', () => {
  it.each<readonly [ParamType, BoundValue, string]>([
    ['text', `Rob'); drop table x -- ? $1 \\`, `cast('Rob''); drop table x -- ? $1 \\' as varchar)`],
    ['text', "two\nlines' \\ and \u202e", "cast(U&'two\\000alines'' \\\\ and \\202e' as varchar)"],
    ['text', null, 'cast(null as varchar)'],
    ['integer', -5, 'cast((-5) as bigint)'],
    ['integer', '-9223372036854775808', "cast('-9223372036854775808' as bigint)"],
    ['decimal', '1.50', "cast('1.50' as decimal(38, 12))"],
    ['timestamp', new Date('2024-02-29T12:34:56Z'), "cast('2024-02-29 12:34:56' as timestamp(6))"],
    ['date', '2024-02-29', "cast('2024-02-29' as date)"],
    ['boolean', true, 'cast(true as boolean)'],
    ['integers', [1, 2], 'cast(1 as bigint), cast(2 as bigint)'],
  ])('writes a %s as a typed literal', (type, bound, expected) => {
    expect(textOf(sql`${value(bound, type)}`)).toBe(expected)
  })

  it('has the rows before a page first', () => {
    expect(textOf(sql`select 1 ${trino.page(digits(20), digits(40))}`)).toBe('select 1 offset 40 limit 20')
  })

  it('declares the types of columns', () => {
    const types = [trino.declaredType('timestamp'), trino.declaredType({ precision: 15, scale: 9 })]
    expect(types.map(textOf)).toEqual(['timestamp(6)', 'decimal(15, 9)'])
  })

  it('refuses rows that no statement can hold', () => {
    const rows = Array.from({ length: 900 }, (): readonly BoundValue[] => ['x'.repeat(1_000)])
    const inline = { name: 'rate', columns: [{ name: 'word', type: 'text' as const }], rows }
    expect(() => trino.inlineRelation(inline)).toThrow(expect.objectContaining({ code: 'result_too_large' }))
  })
})
