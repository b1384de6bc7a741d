import { describe, expect, it } from 'vitest'
import { COLUMNS, kindOfColumn } from '../../connectors/lago/column-kinds.ts'
import { READ, TABLES } from '../../connectors/lago/tables.ts'
import { readingOf } from '../../src/connector-kit/column-casts.ts'
import { unfitColumns } from '../../src/connector-kit/column-types.ts'
import { northTables } from '../support/data/lago/north-rows.ts'

const NAMES = Object.entries(READ).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))

/** The type that a copy of a column has. Copies keep ids, enums and JSON as texts. */
function copiedType(type: string): string {
  if (type.startsWith('timestamp')) return 'timestamp(6)'
  if (type.startsWith('numeric')) return type.replace('numeric', 'decimal')
  return /^(bigint|integer|boolean|date)$/.test(type) ? type : 'varchar'
}

/** The types of the columns of Lago, by `table.column`. */
function engineTypes(): ReadonlyMap<string, string> {
  const tables = [...northTables().matchAll(/create table (\w+) \(([\s\S]*?)\);/g)]
  return new Map(
    tables.flatMap(([, table, columns = '']) =>
      [...columns.matchAll(/(?:^|,\s*)"?(\w+)"? (\w+(?:\([\d,]+\))?)/g)].map(([, column, type = '']): [string, string] => [
        `${table}.${column}`,
        copiedType(type),
      ]),
    ),
  )
}

describe('columns of Lago in a copy', () => {
  it('have types that fit the values of the engine', () => {
    const types = engineTypes()
    // The recorded organization lacks these.
    expect(NAMES.filter((name) => !types.has(name))).toEqual([
      'invoices.prepaid_granted_credit_amount_cents',
      'credit_notes.taxes_amount_cents',
      'credit_note_items.credit_note_id',
      'credit_note_items.fee_id',
      'credit_note_items.amount_cents',
    ])
    expect(unfitColumns(types, kindOfColumn)).toEqual([])
    expect(COLUMNS.tables).toEqual(Object.keys(TABLES))
  })

  it('have a kind each, except for the length of a trial, which any number holds', () => {
    expect(NAMES.filter((name) => kindOfColumn(name) === undefined)).toEqual(['plans.trial_period'])
    expect(kindOfColumn('customers.deleted_at')).toBeUndefined()
  })

  it.each([
    ['fees.amount_cents', 'double', 'bigint'],
    ['fixed_charge_events.units', 'double', 'decimal'],
    ['invoices.issuing_date', 'timestamp(6)', 'date'],
    ['invoices.self_billed', 'tinyint', 'boolean'],
    ['subscriptions.started_at', 'bigint', 'timestamp(6)'],
    ['fixed_charge_events.timestamp', 'varchar', 'timestamp(6)'],
    ['fees.precise_coupons_amount_cents', 'double', 'decimal'],
    ['credit_note_items.amount_cents', 'varchar', 'bigint'],
    ['customers.id', 'uuid', 'varchar'],
    ['versions.object_changes', 'json', 'varchar'],
  ])('%s that is %s must be %s', (name, type, best) => {
    expect(unfitColumns(new Map([[name, type]]), kindOfColumn)).toEqual([
      { name, text: `${name} is ${type} and must be ${best}` },
    ])
  })

  it('publications read ids that a copy keeps as UUIDs, and no JSON of another type', () => {
    expect(readingOf('id', 'text', 'uuid')?.cell).toBe('cast(id as varchar)')
    expect(readingOf('object_changes', 'text', 'json')).toBeUndefined()
  })
})
