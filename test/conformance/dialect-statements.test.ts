import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type BoundValue, digits, type Fragment, fn, type ParamType, relation, sql, value } from '../../src/compiler/fragment.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { runFragment } from '../support/product/run-fragment.ts'

/** Templates whose CTEs share names with each other and with the statement around them. */
const NESTED = {
  base: '-- param: n integer\nselect 1 as x, :n as n union all select 2, :n + 1',
  left_side:
    '-- reads: base\nwith step as (select base.x, base.n * 10 as n from relation.base as base), other as (select x, n from step) select x, n from other',
  right_side:
    '-- reads: base, left_side\nwith step as (select ls.x, ls.n + base.n as n from relation.left_side as ls join relation.base as base on base.x = ls.x) select x, n from step',
  plain: '-- reads: right_side\nselect wrapped.x, wrapped.n from (select rs.x, rs.n from relation.right_side as rs) as wrapped',
}

const round = (rows: readonly Readonly<Record<string, unknown>>[]) =>
  rows.map((row) => Object.values(row).map((cell) => (cell === null ? null : Number(cell))))

describeTargets('statements', (target) => {
  let executor: Executor
  beforeAll(async () => {
    executor = (await target.createDatabase()).executor()
  })
  const numbers = async (fragment: Fragment, params: Readonly<Record<string, BoundValue>> = { n: 5 }) =>
    round(await runFragment(executor, fragment, { relations: NESTED, params }))

  it('nested WITH lists keep their names to themselves', async () => {
    expect(await numbers(sql`select fact.x, fact.n from ${relation('left_side')} as fact order by fact.x`)).toEqual([
      [1, 50],
      [2, 60],
    ])
    expect(await numbers(sql`select fact.x, fact.n from ${relation('right_side')} as fact order by fact.x`)).toEqual([
      [1, 55],
      [2, 66],
    ])
  })

  it('a statement with its own WITH list may use the same names again', async () => {
    const statement = sql`with step as (select fact.x, fact.n from ${relation('right_side')} as fact),
      other as (select step.x, step.n + ls.n + base.n as n from step join ${relation('left_side')} as ls on ls.x = step.x
        join ${relation('base')} as base on base.x = step.x)
      select x, n from other order by x`
    expect(await numbers(statement)).toEqual([
      [1, 110],
      [2, 132],
    ])
  })

  it('shared relations are seen from derived tables inside relations', async () => {
    const statement = sql`select a.x, a.n + b.n as n from ${relation('plain')} as a join ${relation('plain')} as b on b.x = a.x
      where a.x in (select base.x from ${relation('base')} as base) order by a.x`
    expect(await numbers(statement)).toEqual([
      [1, 110],
      [2, 132],
    ])
  })

  it('a list of integers, a row limit', async () => {
    const inList = sql`select base.x from ${relation('base')} as base where base.x in (${value([2, 3, 4], 'integers')})`
    expect(await numbers(inList)).toEqual([[2]])
    expect(
      await numbers(sql`select base.x from ${relation('base')} as base order by base.x limit ${digits(1)} offset ${digits(1)}`),
    ).toEqual([[2]])
  })

  const typed: readonly (readonly [ParamType, BoundValue, string])[] = [
    ['text', 'Ab', 'Ab'],
    ['integer', '-9223372036854775807', '-9223372036854775807'],
    ['integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['timestamp', new Date('2024-02-29T12:34:56Z'), '2024-02-29 12:34:56'],
    ['timestamp', '2024-02-29 23:59:59.999999', '2024-02-29 23:59:59.999999'],
    ['timestamp', '2024-02-29 12:34:50.5', '2024-02-29 12:34:50.5'],
    ['date', '2024-02-29', '2024-02-29'],
  ]
  it.each(typed)('a %s in the select list comes back as it was sent', async (type, bound, expected) => {
    const [row] = await runFragment(executor, sql`select ${value(bound, type)} as a, ${value(null, type)} as b`)
    expect([String(row?.['a']), row?.['b']]).toEqual([expected, null])
  })

  it('numbers in expressions stay exact', async () => {
    const big = value('9007199254740993', 'integer')
    const exact = sql`select ${fn('text', sql`${big} + 1`)} as a, ${fn('text', sql`${big} - ${value(1, 'integer')}`)} as b,
      case when ${big} = ${value('9007199254740992', 'integer')} then 'same' else 'other' end as c,
      case when ${value(true, 'boolean')} = true then 'yes' else 'no' end as d,
      case when ${value('0.1', 'decimal')} + ${value('0.2', 'decimal')} = ${value('0.3', 'decimal')} then 'same' else 'other' end as e`
    expect(await runFragment(executor, exact)).toEqual([
      { a: '9007199254740994', b: '9007199254740992', c: 'other', d: 'yes', e: 'same' },
    ])
  })

  it('text comes back unchanged, whatever it holds', async () => {
    const property = fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('', `'; drop table x --`, '\\', '$1', '?', ':n', '*/'),
      async (word, hostile) => {
        const text = `${word}${hostile}`.replaceAll('\0', '')
        const [row] = await runFragment(
          executor,
          sql`select ${value(text, 'text')} as a, ${fn('text', value(text, 'text'))} as b`,
        )
        expect(row).toEqual({ a: text, b: text })
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })
})
