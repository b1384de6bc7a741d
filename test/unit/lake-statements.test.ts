import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKillbillConnector } from '../../connectors/killbill/index.ts'
import { heldTables } from '../../src/cache/held/held-tables.ts'
import type { Plan } from '../../src/cache/held/steps.ts'
import { readPlace } from '../../src/cache/lake/place.ts'
import {
  inlineStatements,
  type PublishedTables,
  placedTable,
  rawStatement,
  stepStatements,
} from '../../src/cache/lake/steps-as-tables.ts'
import { withTables } from '../../src/cache/lake/with-tables.ts'
import { loadCatalog } from '../../src/compiler/catalog.ts'
import { trino } from '../../src/compiler/dialects/trino.ts'
import { sql } from '../../src/connector-kit/query-runner.ts'
import { packageRoot } from '../../src/core/package-root.ts'

const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
const CATALOG = loadCatalog({ sql: join(packageRoot(), 'sql'), relations: [connector.relationsDirectory] })
const HELD = heldTables(connector, CATALOG, { keyType: 'integer' }, 'trino')
const TABLES: PublishedTables = {
  id: 'p1_00ff',
  place: { catalog: 'lake', schema: 'plumbline' },
  dialect: trino,
  keyType: 'integer',
  held: HELD,
}
const statement = (text: string) => ({ text, values: [], label: 'test' })
const PINNED = new Map([
  ['accounts', 'select * from lake.billing.accounts for version as of 7'],
  ['account_history', 'select * from lake.billing.account_history'],
])

describe('other rows for the tables of a statement', () => {
  it('come in front of a select, after its comment', () => {
    const { text } = withTables(statement('/* plumbline test */\nselect id from accounts as a'), PINNED)
    expect(text).toBe(
      '/* plumbline test */\nwith accounts as (select * from lake.billing.accounts for version as of 7)\nselect id from accounts as a',
    )
  })

  it('come before the CTEs of the statement itself, which read them', () => {
    const { text } = withTables(statement('with own as (select id from accounts) select * from own order by id'), PINNED)
    expect(text).toBe(
      'with accounts as (select * from lake.billing.accounts for version as of 7), own as (select id from accounts) select * from own order by id',
    )
  })

  it('leave a statement alone that names none of the tables', () => {
    const others = statement('select accounts_total, my_accounts from other')
    expect(withTables(others, PINNED)).toBe(others)
  })

  it('are refused for a statement that is no select', () => {
    expect(() => withTables(statement('show columns from accounts'), PINNED)).toThrow('is no select')
  })
})

describe('a plan as tables', () => {
  const rows = (text: string) => statement(`/* step */\nselect made.* from (${text}) as made`)
  const plan: Plan = {
    inline: [],
    params: { name: 'params', columns: [], rows: [[]] },
    steps: [
      { relation: 'kb_item', table: 'step_kb_item', needs: [], rows: rows('select account_record_id from accounts') },
      { relation: 'movement', needs: [], rows: rows('select * from lake.plumbline.p1_00ff_step_kb_item') },
      {
        relation: 'kb_item_more',
        table: 'step_kb_item_more',
        needs: [],
        rows: rows('select * from lake.plumbline.p1_00ff_held_movement'),
      },
    ],
  }
  const raw = [{ name: 'accounts', columns: [], select: () => sql`select 1` }]
  const made = stepStatements(plan, raw, TABLES, 12_000_000)

  it('has held relations under the names of their readers, and other steps under their own', () => {
    expect(made.map(({ table }) => table)).toEqual(['p1_00ff_step_kb_item', 'p1_00ff_held_movement', 'p1_00ff_step_kb_item_more'])
    expect(placedTable(TABLES, 'inline_plan')).toBe('p1_00ff_inline_plan')
  })

  it('runs a step after those that it reads', () => {
    expect(made.map(({ after }) => after)).toEqual([[], ['p1_00ff_step_kb_item'], ['p1_00ff_held_movement']])
  })

  it('reads the copies of raw tables', () => {
    expect(made[0]?.statement.text).toContain(
      'with accounts as (select * from lake.plumbline.p1_00ff_raw_accounts)\nselect made.*',
    )
  })

  it('gives every column of a relation with a contract its type, and spreads many rows over buckets of customers', () => {
    const text = made[1]?.statement.text ?? ''
    const columns = HELD.find(({ relation }) => relation === 'movement')?.columns ?? []
    expect(columns.length).toBeGreaterThan(10)
    for (const { name } of columns) expect(text).toMatch(new RegExp(`cast\\(${name} as [a-z0-9(), ]+\\) as ${name}`))
    expect(text).toContain("with (partitioning = array['bucket(customer_key, 3)'])")
    expect(stepStatements(plan, raw, TABLES, 5_000_000)[1]?.statement.text).not.toContain('partitioning')
    expect(made[0]?.statement.text).not.toContain('partitioning')
  })
})

it('a raw table is copied from the pinned rows with its own columns', () => {
  const table = {
    name: 'accounts',
    columns: [
      { name: 'record_id', type: 'integer' as const },
      { name: 'paid', type: { precision: 15, scale: 9 } },
    ],
    select: () => sql`select t.record_id, t.paid from accounts as t`,
  }
  const pins = { rows: PINNED, versions: { accounts: '7', tenants: null } }
  const { statement: made, count } = rawStatement(table, pins, TABLES)
  expect(made.text).toContain('create table lake.plumbline.p1_00ff_raw_accounts as select cast(record_id as bigint)')
  expect(made.text).toContain('cast(paid as decimal(15, 9)) as paid')
  expect(made.text).toContain('for version as of 7')
  expect(count?.text).toMatch(/^select count\(\*\) as entries from \([\s\S]*for version as of 7/)
  const unpinned = rawStatement(table, { ...pins, versions: { accounts: null } }, TABLES)
  expect(unpinned.count).toBeUndefined()
})

it('rows of the process are written in parts below the longest statement', () => {
  const columns = [
    { name: 'n', type: 'integer' as const },
    { name: 'word', type: 'text' as const },
  ]
  const rows = Array.from({ length: 3_000 }, (_, n) => [n, 'x'.repeat(400)])
  const statements = inlineStatements('p1_00ff_inline_plan', { name: 'plan', columns, rows }, TABLES)
  expect(statements.length).toBeGreaterThan(2)
  expect(statements[0]?.text).toContain('create table lake.plumbline.p1_00ff_inline_plan as')
  for (const { text } of statements.slice(1)) expect(text).toContain('insert into lake.plumbline.p1_00ff_inline_plan')
  expect(inlineStatements('p1_00ff_inline_none', { name: 'none', columns, rows: [] }, TABLES)).toHaveLength(1)
})

it('the schema of the lake is named with its catalog', () => {
  expect(readPlace('lake.plumbline')).toEqual({ catalog: 'lake', schema: 'plumbline' })
  for (const text of ['plumbline', 'lake.plumbline.more', 'Lake.plumbline', 'lake."a b"', ''])
    expect(() => readPlace(text)).toThrow('lake.schema')
})
