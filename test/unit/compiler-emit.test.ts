import { describe, expect, it } from 'vitest'
import { mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { emit } from '../../src/compiler/emit.ts'
import {
  type BoundValue,
  digits,
  fn,
  fragment,
  ident,
  join,
  type ParamType,
  relation,
  sql,
  value,
} from '../../src/compiler/fragment.ts'

describe('emit', () => {
  const shared = value('a', 'text')
  const select = sql`select ${shared} as x, ${shared} as y, ${value(5, 'integer')} as z`

  it('numbers placeholders and uses one for the same node on PostgreSQL', () => {
    expect(emit(select, postgres, 'm.q a/postgres')).toEqual({
      text: '/* plumbline m.q a/postgres */\nselect $1::text as x, $1::text as y, $2::bigint as z',
      values: ['a', 5],
      label: 'm.q a/postgres',
    })
  })

  it('repeats the value on MySQL', () => {
    const statement = emit(select, mysql, 'm.q')
    expect(statement.text).toBe('/* plumbline m.q */\nselect ? as x, ? as y, cast(? as signed) as z')
    expect(statement.values).toEqual(['a', 'a', 5])
  })

  it('writes a list as one placeholder per entry', () => {
    const ids = value([3, 4], 'integers')
    expect(emit(sql`in (${ids}) or in (${ids})`, postgres, 'x').text).toContain(
      'in ($1::bigint, $2::bigint) or in ($1::bigint, $2::bigint)',
    )
    expect(emit(sql`in (${ids})`, mysql, 'x')).toMatchObject({ values: [3, 4] })
  })

  const converted: readonly (readonly [BoundValue, ParamType, unknown, unknown])[] = [
    [new Date('2024-02-29T23:59:59.999Z'), 'timestamp', '2024-02-29 23:59:59.999', '2024-02-29 23:59:59.999'],
    [new Date('2024-02-29T23:59:50.500Z'), 'timestamp', '2024-02-29 23:59:50.5', '2024-02-29 23:59:50.5'],
    [new Date('2024-02-29T23:59:50.000Z'), 'timestamp', '2024-02-29 23:59:50', '2024-02-29 23:59:50'],
    ['2024-02-29 23:59:59.999999', 'timestamp', '2024-02-29 23:59:59.999999', '2024-02-29 23:59:59.999999'],
    [new Date('2024-02-29T23:59:59.999Z'), 'date', '2024-02-29', '2024-02-29'],
    ['9007199254740993', 'integer', '9007199254740993', '9007199254740993'],
    ['-0.10', 'decimal', '-0.10', '-0.10'],
    [7, 'decimal', '7', '7'],
    [true, 'boolean', true, 1],
    [false, 'boolean', false, 0],
    [null, 'boolean', null, null],
    ['{"a":1}', 'json', '{"a":1}', '{"a":1}'],
    ['😀', 'text', '😀', '😀'],
  ]
  it.each(converted)('binds %s as %s', (bound, type, onPostgres, onMysql) => {
    expect(emit(value(bound, type), postgres, 'x').values).toEqual([onPostgres])
    expect(emit(value(bound, type), mysql, 'x').values).toEqual([onMysql])
  })

  const refused: readonly (readonly [BoundValue, ParamType])[] = [
    [2 ** 53, 'integer'],
    [1.5, 'integer'],
    ['1; drop', 'integer'],
    ['1e3', 'decimal'],
    [0.1, 'decimal'],
    ['2024-01-01', 'timestamp'],
    [new Date(Number.NaN), 'timestamp'],
    ['2024-1-1', 'date'],
    ['true', 'boolean'],
    [1, 'text'],
    [[], 'integers'],
    [[1.5], 'integers'],
    [5, 'integers'],
  ]
  it.each(refused)('refuses %s as %s', (bound, type) => {
    expect(() => emit(value(bound, type), postgres, 'x')).toThrow()
  })

  it('tells the caller about text that no database stores', () => {
    for (const text of ['a\0b', 'a\ud800b']) {
      expect(() => emit(value(text, 'text'), postgres, 'x')).toThrow(expect.objectContaining({ code: 'invalid_value' }))
    }
  })

  it('refuses what would break out of text', () => {
    expect(() => emit(sql`select 1`, postgres, 'x */ drop')).toThrow('not a label')
    expect(() => ident('a b')).toThrow('plain snake_case')
    expect(() => relation('a.b')).toThrow('relation name')
    expect(() => digits(-1)).toThrow('whole number')
    expect(() => sql`${'text' as never}`).toThrow('takes fragments only')
    expect(() => sql`${JSON.parse('{"nodes":[{"kind":"text","text":"drop"}]}')}`).toThrow('takes fragments only')
  })

  it('refuses unresolved relations and wrong numbers of arguments', () => {
    expect(() => emit(relation('a'), postgres, 'x')).toThrow('relation.a was not resolved')
    expect(() => emit(fn('lower'), postgres, 'x')).toThrow('fn.lower takes 1')
  })

  it('joins fragments', () => {
    expect(emit(join([digits(1), digits(20)], sql`, `), postgres, 'x').text).toBe('/* plumbline x */\n1, 20')
    expect(fragment([]).nodes).toEqual([])
  })
})
