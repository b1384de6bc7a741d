import { describe, expect, it } from 'vitest'
import { compileTemplate } from '../../src/compiler/compile.ts'
import { mariadb, mysql } from '../../src/compiler/dialects/mysql.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import { type BoundValue, type Fragment, relation, sql, value } from '../../src/compiler/fragment.ts'
import { parseTemplate, type Slot } from '../../src/compiler/template.ts'
import { catalogOf } from '../support/product/run-fragment.ts'

interface Case {
  readonly relations?: Readonly<Record<string, string>>
  readonly slots?: Partial<Record<Slot, Fragment>>
  readonly params?: Readonly<Record<string, BoundValue>>
  readonly aliases?: ReadonlyMap<string, string>
}

const DIALECTS = { postgres, mysql, mariadb }

/** The statement for a query with this header and body, without the leading comment. */
function compile(
  text: string,
  { relations = {}, slots = {}, params = {}, aliases = new Map() }: Case = {},
  dialect: keyof typeof DIALECTS = 'postgres',
) {
  const template = parseTemplate('q.sql', `-- metric: m\n-- query: q\n${text}`)
  const statement = compileTemplate({
    template,
    catalog: catalogOf(relations),
    inline: new Map(),
    params,
    aliases,
    slots,
    dialect: DIALECTS[dialect],
    label: 'm.q test',
  })
  expect(statement.text.startsWith('/* plumbline m.q test */\n')).toBe(true)
  return { text: statement.text.slice('/* plumbline m.q test */\n'.length), values: statement.values }
}

describe('compileTemplate', () => {
  it('puts a relation used once in its place', () => {
    const { text } = compile('-- reads: one\n-- unsliced\nselect fact.x from relation.one as fact', {
      relations: { one: 'select 1 as x -- end' },
    })
    expect(text).toBe('select fact.x from (\nselect 1 as x -- end\n) as fact')
  })

  it('makes one CTE of a relation used twice, dependencies first, in the WITH list that the file has', () => {
    const { text } = compile(
      '-- reads: one, two\n-- unsliced\nwith m as (select fact.x from relation.two as fact join relation.one as o on true)\nselect m.x from m join relation.two as t on true',
      { relations: { one: 'select 1 as x', two: '-- reads: one\nselect one.x from relation.one as one' } },
    )
    expect(text).toBe(
      'with rel_one as (\nselect 1 as x\n),\nrel_two as (\nselect one.x from rel_one as one\n),\nm as (select fact.x from rel_two as fact join rel_one as o on true)\nselect m.x from m join rel_two as t on true',
    )
  })

  it('repeats a relation that only reads tables on MariaDB, which may lose a shared one, and shares the others', () => {
    const text =
      '-- reads: one, two\n-- unsliced\nselect a.x from relation.two as a join relation.two as b on true join relation.one as c on true'
    const relations = { one: 'select t.x from t', two: '-- reads: one\nselect one.x from relation.one as one' }
    expect(compile(text, { relations }, 'mariadb').text).toBe(
      'with rel_two as (\nselect one.x from (\nselect t.x from t\n) as one\n)\nselect a.x from rel_two as a join rel_two as b on true join (\nselect t.x from t\n) as c on true',
    )
    expect(compile(text, { relations }, 'mysql').text).toMatch(/^with rel_one as \(/)
  })

  it('plans a fenced relation apart where the dialect can, and elsewhere puts it in its place', () => {
    const query = '-- reads: one\n-- unsliced\nselect fact.x from relation.one as fact'
    const relations = { one: '-- fenced\nselect 1 as x' }
    expect(compile(query, { relations }).text).toBe(
      'with rel_one as materialized (\nselect 1 as x\n)\nselect fact.x from rel_one as fact',
    )
    // The WITH list of a file is found behind its comments.
    expect(
      compile('-- reads: one\n-- unsliced\n/* a */ with m as (select fact.x from relation.one as fact) select m.x from m', {
        relations,
      }).text,
    ).toBe('with rel_one as materialized (\nselect 1 as x\n),\nm as (select fact.x from rel_one as fact) select m.x from m')
    const zoned = 'select cast(fact.x as timestamp /* b */ with time zone) as x from'
    expect(compile(`-- reads: one\n-- unsliced\n/* a */ ${zoned} relation.one as fact`, { relations }).text).toBe(
      `with rel_one as materialized (\nselect 1 as x\n)\n${zoned} rel_one as fact`,
    )
    expect(compile(query, { relations }, 'mysql').text).toBe('select fact.x from (\nselect 1 as x\n) as fact')
  })

  it('makes a CTE of a relation that has its own WITH list', () => {
    const { text } = compile('-- reads: one\n-- unsliced\nselect fact.x from relation.one as fact', {
      relations: { one: 'with a as (select 1 as x) select a.x from a' },
    })
    expect(text).toBe('with rel_one as (\nwith a as (select 1 as x) select a.x from a\n)\nselect fact.x from rel_one as fact')
  })

  it('counts relations in slots and inside functions', () => {
    const { text } = compile(
      '-- reads: one\nselect fn.text((select max(o.x) from relation.one as o)) as x /*{dimensions}*/ from t /*{joins}*/ where true /*{filters}*/',
      { relations: { one: 'select 1 as x' }, slots: { joins: sql`join ${relation('one')} as c on true` } },
    )
    expect(text).toContain('with rel_one as (')
    expect(text).toContain('join rel_one as c on true')
    expect(text).toContain('select max(o.x) from rel_one as o')
  })

  it('shares the placeholder of a parameter between files on PostgreSQL', () => {
    const query = '-- reads: one\n-- param: p text\n-- unsliced\nselect :p as a, :p as b from relation.one as fact'
    const around = {
      relations: { one: '-- param: p text\n-- param: ids integers\nselect :p as x where 1 in (:ids)' },
      params: { p: 'v', ids: [1, 2] },
    }
    const onPostgres = compile(query, around)
    expect(onPostgres.text).toBe(
      'select $1::text as a, $1::text as b from (\nselect $1::text as x where 1 in ($2::bigint, $3::bigint)\n) as fact',
    )
    expect(onPostgres.values).toEqual(['v', 1, 2])
    expect(compile(query, around, 'mysql').values).toEqual(['v', 'v', 'v', 1, 2])
  })

  it('puts slots in their places and keeps values apart that look alike', () => {
    const slots = {
      dimensions: sql`, ${value('x', 'text')} as d`,
      filters: sql`and a = ${value('x', 'text')}`,
    }
    const { text, values } = compile('select 1 as x /*{dimensions}*/ from t where true /*{filters}*/', { slots })
    expect(text).toBe('select 1 as x  , $1::text as d  from t where true  and a = $2::text ')
    expect(values).toEqual(['x', 'x'])
  })

  it('reads another relation where the connector says so', () => {
    const { text } = compile('-- reads: one\n-- unsliced\nselect fact.x from relation.one as fact', {
      relations: { one: 'select 1 as x', one_old: 'select 2 as x' },
      aliases: new Map([['one', 'one_old']]),
    })
    expect(text).toContain('select 2 as x')
  })

  it('names a missing value, a missing relation, a circle and a slot without place', () => {
    expect(() => compile('-- param: p text\n-- unsliced\nselect :p as x')).toThrow('q.sql needs a value for :p')
    expect(() => compile('-- param: p text\n-- unsliced\nselect :p as x', { params: Object.create({ p: 'inherited' }) })).toThrow(
      ':p',
    )
    expect(() => compile('-- reads: one\n-- unsliced\nselect 1 as x from relation.one as fact')).toThrow(
      'nothing supplies relation.one',
    )
    const circle = {
      one: '-- reads: two\nselect 1 as x from relation.two as t',
      two: '-- reads: one\nselect 1 as x from relation.one as o',
    }
    expect(() => compile('-- reads: one\n-- unsliced\nselect 1 as x from relation.one as fact', { relations: circle })).toThrow(
      'one → two → one',
    )
    expect(() => compile('-- unsliced\nselect 1 as x', { slots: { filters: sql`and a` } })).toThrow(
      'q.sql has no slot /*{filters}*/',
    )
  })
})
