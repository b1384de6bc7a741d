import { type AttributeDefinition, type AttributeType, type CustomerRef, customerName } from '../../core/attribute.ts'
import { InternalError } from '../../core/errors.ts'
import type { Workspace } from '../../core/workspace.ts'
import type { AttributeStore } from '../../ports/attribute-store.ts'
import { textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { definitionOf, entryOf, noteOf, storedValue, valueColumn } from './attribute-rows.ts'
import { attributeWriter } from './attribute-writer.ts'
import { type Access, engineOf, table, writeExclusively } from './database.ts'

const CUSTOMERS_AT_ONCE = 1_000

/** The stored customer attributes of one workspace. */
export function createAttributes(access: Access, { name, source_ids }: Workspace): AttributeStore {
  const read = <T>(work: (owned: Owned) => Promise<T>): Promise<T> =>
    access.read((database) => work((from) => table(database, from).where({ workspace: name })))
  return {
    definitions: () => read(async (owned) => (await rowsOf(owned('attribute_definition'))).map(definitionOf)),
    notes: () => read(async (owned) => (await rowsOf(owned('attribute_note'))).map(noteOf)),
    values: (key) => read((owned) => valuesOf(owned, key)),
    distinctValues: (definition, limit) => read((owned) => distinct(owned, definition, source_ids, limit)),
    commonValues: (definition, limit) => read((owned) => common(owned, definition, source_ids, limit)),
    counts: (key) => read((owned) => countsOf(owned, key)),
    entriesOf: (customers, key) => read((owned) => entries(owned, customers, key)),
    change: (work) => writeExclusively(access, (database, transaction) => work(attributeWriter(database, transaction, name))),
  }
}

/** Rows of a table that belong to the workspace. */
type Owned = (from: string) => Query
type Query = ReturnType<typeof table>

async function rowsOf(query: Query): Promise<readonly Row[]> {
  return await query.select('*')
}

async function valuesOf(owned: Owned, key: string) {
  const [defined] = await rowsOf(owned('attribute_definition').where({ attribute_key: key }))
  if (defined === undefined) return []
  const { type } = definitionOf(defined)
  const rows: Row[] = await owned('attribute_value')
    .where({ attribute_key: key })
    .select('source_id', 'customer_id', valueColumn(type))
  return rows.map((row) => ({
    source_id: textOf(row, 'source_id'),
    customer_id: textOf(row, 'customer_id'),
    value: storedValue(row, type),
  }))
}

async function distinct(
  owned: Owned,
  { key, type }: Pick<AttributeDefinition, 'key' | 'type'>,
  source_ids: readonly string[],
  limit: number,
) {
  const column = valueColumn(type)
  const rows: Row[] = await differentInOrder(held(owned, { key, type }, source_ids), column, type).limit(limit)
  return rows.map((row) => storedValue(row, type))
}

async function common(
  owned: Owned,
  { key, type }: Pick<AttributeDefinition, 'key' | 'type'>,
  source_ids: readonly string[],
  limit: number,
) {
  const column = valueColumn(type)
  const query = held(owned, { key, type }, source_ids)
  const [group, shown] = isPadded(query, type) ? [`cast(${column} as binary)`, `min(${column})`] : [column, column]
  const rows: Row[] = await query
    .select(query.client.raw(`${shown} as ${column}`))
    .groupByRaw(group)
    .havingRaw('count(*) > 1')
    .orderByRaw(`count(*) desc, ${group}`)
    .limit(limit)
  return rows.map((row) => storedValue(row, type))
}

// The store may also hold values of other or earlier sources. They belong to none of this service's customers.
function held(owned: Owned, { key, type }: Pick<AttributeDefinition, 'key' | 'type'>, source_ids: readonly string[]): Query {
  return owned('attribute_value').where({ attribute_key: key }).whereIn('source_id', source_ids).whereNotNull(valueColumn(type))
}

/** MySQL treats texts as equal if they differ only in trailing blanks, unless they are compared as bytes. */
function isPadded(query: Query, type: AttributeType): boolean {
  return engineOf(query) === 'mysql' && type === 'string'
}

function differentInOrder(query: Query, column: string, type: AttributeType): Query {
  const engine = engineOf(query)
  if (isPadded(query, type)) {
    const bytes = `cast(${column} as binary)`
    return query
      .min({ [column]: column })
      .groupByRaw(bytes)
      .orderByRaw(bytes)
  }
  const different = query.distinct(column)
  if (engine !== 'sqlite' || type !== 'number') return different.orderBy(column)
  // SQLite stores exact numbers as text. Sort them by sign, then by the number of digits before the point, then by the digits.
  const [isNegative, length] = [`${column} like '-%'`, `instr(${column} || '.', '.')`]
  return different.orderByRaw(
    `${isNegative} desc, case when ${isNegative} then -${length} else ${length} end, case when ${isNegative} then ${column} end desc, ${column}`,
  )
}

async function countsOf(owned: Owned, key: string | undefined) {
  const query = owned('attribute_value')
  const rows: Row[] = await (key === undefined ? query : query.where({ attribute_key: key }))
    .select('source_id', 'customer_id')
    .count({ value_count: '*' })
    .groupBy('source_id', 'customer_id')
  return rows.map((row) => ({
    source_id: textOf(row, 'source_id'),
    customer_id: textOf(row, 'customer_id'),
    count: countOf(row['value_count']),
  }))
}

async function entries(owned: Owned, customers: readonly CustomerRef[], key: string | undefined) {
  if (customers.length > CUSTOMERS_AT_ONCE) throw new InternalError(`${customers.length} customers at once`)
  const wanted = new Set(customers.map(customerName))
  const ids = [...new Set(customers.map(({ customer_id }) => customer_id))]
  const query = owned('attribute_value').whereIn('customer_id', ids)
  const rows = await rowsOf(key === undefined ? query : query.where({ attribute_key: key }))
  return rows.map(entryOf).filter((entry) => wanted.has(customerName(entry)))
}

function countOf(cell: Row[string] | undefined): number {
  const count = Number(cell)
  if (!Number.isSafeInteger(count)) throw new InternalError('the store counts no whole number')
  return count
}
