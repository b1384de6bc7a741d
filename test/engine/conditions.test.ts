import { beforeAll, describe, expect, it } from 'vitest'
import { compileFragment } from '../../src/compiler/compile.ts'
import { relation, sql } from '../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../src/compiler/inline.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { parseConditions } from '../../src/query/condition.ts'
import { matchesText } from '../../src/query/condition-match.ts'
import { defineField, type Field, type FieldType } from '../../src/query/field.ts'
import { collectIssues } from '../../src/query/issues.ts'
import { compileScope } from '../../src/query/scope.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { CATALOG, emptyDatabase } from '../support/product/example-engine.ts'

const VALUES: InlineRelation = {
  name: 'sample',
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'string', type: 'text' },
    { name: 'number', type: 'integer' },
    { name: 'boolean', type: 'boolean' },
    { name: 'date', type: 'date' },
    { name: 'timestamp', type: 'timestamp' },
  ],
  rows: [
    [1, 'Gold', 1, true, '2025-01-01', '2025-01-01 00:00:00'],
    [2, 'gold', 2, false, '2025-01-31', '2025-01-31 23:59:59'],
    [3, '100%_off!', 10, true, '2025-02-01', '2025-02-01 00:00:00'],
    [4, '', 0, false, '2024-12-31', '2024-12-31 12:00:00'],
    [5, null, null, null, null, null],
  ],
}

function field(type: FieldType): Field {
  return defineField({ key: type, type, description: '', expression: () => sql`fact.${columnOf(type)}` })
}

function columnOf(type: FieldType) {
  return { string: sql`string`, number: sql`number`, boolean: sql`boolean`, date: sql`date`, timestamp: sql`timestamp` }[type]
}

const CASES: readonly [FieldType, unknown, readonly number[]][] = [
  ['string', 'gold', [2]],
  ['string', { '!=': 'gold' }, [1, 3, 4]],
  ['string', '', [4]],
  ['string', ['gold', 'Gold', 'x'], [1, 2]],
  ['string', { in: [] }, []],
  ['string', { 'not in': [] }, [1, 2, 3, 4]],
  ['string', { 'not in': ['gold'] }, [1, 3, 4]],
  ['string', { contains: 'OL' }, [1, 2]],
  ['string', { not_contains: 'OL' }, [3, 4]],
  ['string', { starts_with: 'G' }, [1, 2]],
  ['string', { ends_with: 'LD' }, [1, 2]],
  ['string', { contains: '%' }, [3]],
  ['string', { contains: '_' }, [3]],
  ['string', { ends_with: '!' }, [3]],
  ['string', { contains: '0%_' }, [3]],
  ['string', { contains: '' }, [1, 2, 3, 4]],
  ['string', { is_empty: true }, [4, 5]],
  ['string', { is_not_empty: true }, [1, 2, 3]],
  ['string', "x' or 1=1 --", []],
  ['number', 2, [2]],
  ['number', { '!=': '2' }, [1, 3, 4]],
  ['number', { '>': '1', '<=': '10' }, [2, 3]],
  ['number', { '>=': 1.5 }, [2, 3]],
  ['number', { between: ['0', '2'] }, [1, 2, 4]],
  ['number', { in: ['10', '2'] }, [2, 3]],
  ['number', { is_empty: true }, [5]],
  ['boolean', 'true', [1, 3]],
  ['boolean', { '!=': true }, [2, 4]],
  ['boolean', [true, false], [1, 2, 3, 4]],
  ['boolean', { is_not_empty: true }, [1, 2, 3, 4]],
  ['date', '2025-01-31', [2]],
  ['date', { '>': '2025-01-01' }, [2, 3]],
  ['date', { between: ['2025-01-01', '2025-02-01'] }, [1, 2, 3]],
  ['date', { is_empty: true }, [5]],
  ['timestamp', '2025-01-31', [2]],
  ['timestamp', '2025-01-31T23:59:59Z', [2]],
  ['timestamp', { '!=': '2025-01-31' }, [1, 3, 4]],
  ['timestamp', { '>': '2025-01-31' }, [3]],
  ['timestamp', { '>=': '2025-01-31' }, [2, 3]],
  ['timestamp', { '<': '2025-01-31' }, [1, 4]],
  ['timestamp', { '<=': '2025-01-31' }, [1, 2, 4]],
  ['timestamp', { between: ['2025-01-01', '2025-01-31'] }, [1, 2]],
  ['timestamp', { in: ['2025-01-01', '2024-12-31'] }, [1, 4]],
  ['timestamp', { in: [] }, []],
  ['timestamp', { 'not in': ['2025-01-01'] }, [2, 3, 4]],
]

function conditionsOf(type: FieldType, raw: unknown) {
  const { report, issues } = collectIssues()
  const conditions = parseConditions(field(type), raw, 'spec.filters.x', report)
  expect(issues).toEqual([])
  return conditions
}

everyEngine('filter operators', (target) => {
  let executor: Executor
  beforeAll(async () => {
    executor = (await emptyDatabase(target)).executor()
  })

  it.each(CASES)('%s %j meets rows %j', async (type, raw, expected) => {
    const context = {
      fact: 'level',
      instant: sql`1`,
      isBefore: sql`1 = 1`,
      connector: 'x',
      allowUnpriced: false,
      isNarrowed: false,
    } as const
    const { slots } = compileScope([], conditionsOf(type, raw), context)
    const statement = compileFragment({
      fragment: sql`select fact.id from ${relation('sample')} as fact where 1 = 1 ${slots.filters} order by fact.id`,
      catalog: CATALOG,
      inline: new Map([['sample', VALUES]]),
      params: {},
      dialect: target.dialect,
      label: 'test',
    })
    const rows = await executor.withSnapshot((snapshot) => snapshot.query(statement))
    expect(rows.map((row) => Number(row['id']))).toEqual(expected)
  })
})

describe('the same operators on text that the rows carry', () => {
  const texts = VALUES.rows.flatMap(([id, text]) => (typeof text === 'string' ? [{ id, text }] : []))
  it.each(CASES.filter(([type]) => type === 'string'))('%s %j', (type, raw, expected) => {
    const conditions = conditionsOf(type, raw)
    const met = texts.filter(({ text }) => conditions.every((condition) => matchesText(condition, text)))
    expect(met.map(({ id }) => id)).toEqual(expected.filter((id) => id !== 5))
  })
})
