import { type AttributeDefinition, type CustomerRef, customerName } from '../core/attribute.ts'
import { InternalError } from '../core/errors.ts'
import type { AttributeStore } from '../engine/ports.ts'
import { definitionOf, entryOf, noteOf, type StoreRow, storedValue, textOf, valueColumn } from './attribute-rows.ts'
import { attributeWriter } from './attribute-writer.ts'
import { type Access, type Database, table, writeAlone } from './database.ts'

const CUSTOMERS_AT_ONCE = 1_000

/** Attributes of customers in the side schema. */
export function createAttributes(access: Access): AttributeStore {
  return {
    definitions: () => access.read(async (database) => (await rowsOf(table(database, 'attribute_definition'))).map(definitionOf)),
    notes: () => access.read(async (database) => (await rowsOf(table(database, 'attribute_note'))).map(noteOf)),
    values: (key) => access.read((database) => valuesOf(database, key)),
    distinctValues: (definition, limit) => access.read((database) => distinct(database, definition, limit)),
    counts: (key) => access.read((database) => countsOf(database, key)),
    entriesOf: (customers, key) => access.read((database) => entries(database, customers, key)),
    change: (work) => writeAlone(access, (database, transaction) => work(attributeWriter(database, transaction))),
  }
}

type Query = ReturnType<typeof table>

async function rowsOf(query: Query): Promise<readonly StoreRow[]> {
  return await query.select('*')
}

async function valuesOf(database: Database, key: string) {
  const [defined] = await rowsOf(table(database, 'attribute_definition').where({ attribute_key: key }))
  if (defined === undefined) return []
  const { type } = definitionOf(defined)
  const rows: StoreRow[] = await table(database, 'attribute_value')
    .where({ attribute_key: key })
    .select('source_id', 'customer_id', valueColumn(type))
  return rows.map((row) => ({
    source_id: textOf(row, 'source_id'),
    customer_id: textOf(row, 'customer_id'),
    value: storedValue(row, type),
  }))
}

async function distinct(database: Database, { key, type }: Pick<AttributeDefinition, 'key' | 'type'>, limit: number) {
  const column = valueColumn(type)
  const query = table(database, 'attribute_value').where({ attribute_key: key }).whereNotNull(column)
  // On MySQL texts that differ in blanks at their end are equal unless compared as bytes.
  const rows: StoreRow[] =
    type === 'string' && database.schema === undefined
      ? await query
          .min({ [column]: column })
          .groupByRaw(`cast(${column} as binary)`)
          .orderByRaw(`cast(${column} as binary)`)
          .limit(limit)
      : await query.distinct(column).orderBy(column).limit(limit)
  return rows.map((row) => storedValue(row, type))
}

async function countsOf(database: Database, key: string | undefined) {
  const query = table(database, 'attribute_value')
  const rows: StoreRow[] = await (key === undefined ? query : query.where({ attribute_key: key }))
    .select('source_id', 'customer_id')
    .count({ value_count: '*' })
    .groupBy('source_id', 'customer_id')
  return rows.map((row) => ({
    source_id: textOf(row, 'source_id'),
    customer_id: textOf(row, 'customer_id'),
    count: countOf(row['value_count']),
  }))
}

async function entries(database: Database, customers: readonly CustomerRef[], key: string | undefined) {
  if (customers.length > CUSTOMERS_AT_ONCE) throw new InternalError(`${customers.length} customers at once`)
  const wanted = new Set(customers.map(customerName))
  const ids = [...new Set(customers.map(({ customer_id }) => customer_id))]
  const query = table(database, 'attribute_value').whereIn('customer_id', ids)
  const rows = await rowsOf(key === undefined ? query : query.where({ attribute_key: key }))
  return rows.map(entryOf).filter((entry) => wanted.has(customerName(entry)))
}

function countOf(cell: StoreRow[string] | undefined): number {
  const count = Number(cell)
  if (!Number.isSafeInteger(count)) throw new InternalError('the store counts no whole number')
  return count
}
