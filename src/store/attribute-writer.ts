import type { Knex } from 'knex'
import type { AttributeEntry, AttributeOrigin, AttributeType } from '../core/attribute.ts'
import type { AttributeWriter } from '../engine/ports.ts'
import { definitionOf, noteOf, rowOf, type StoreRow, storedValue, textOf, valueColumn } from './attribute-rows.ts'
import { type Database, table } from './database.ts'
import { instantForStore } from './instants.ts'

const CUSTOMERS_AT_ONCE = 1_000

/** Writes attributes inside a transaction that has raised the counter of writes, so that it is alone. */
export function attributeWriter(database: Database, transaction: Knex): AttributeWriter {
  const on = (name: string) => table(database, name, transaction)
  const byKey = async <T extends { readonly key: string }>(name: string, read: (row: StoreRow) => T) => {
    const rows: StoreRow[] = await on(name).select('*')
    return new Map(rows.map((row) => [textOf(row, 'attribute_key'), read(row)]))
  }
  return {
    definitions: () => byKey('attribute_definition', definitionOf),
    notes: () => byKey('attribute_note', noteOf),
    define: async (definition) =>
      void (await on('attribute_definition').insert(rowOf(definition)).onConflict('attribute_key').merge()),
    note: async (note) => void (await on('attribute_note').insert(rowOf(note)).onConflict('attribute_key').merge()),
    put: (entries, origin, at) => put(on, entries, origin, at),
    remove: async ({ source_id, customer_id }, key) =>
      (await on('attribute_value').where({ attribute_key: key, source_id, customer_id }).delete()) > 0,
  }
}

type On = (name: string) => ReturnType<typeof table>

async function put(on: On, entries: readonly AttributeEntry[], origin: AttributeOrigin, at: string): Promise<number> {
  let changed = 0
  for (const group of groups(entries)) {
    for (let first = 0; first < group.entries.length; first += CUSTOMERS_AT_ONCE) {
      changed += await putGroup(on, group, group.entries.slice(first, first + CUSTOMERS_AT_ONCE), origin, at)
    }
  }
  return changed
}

interface Group {
  readonly key: string
  readonly source_id: string
  readonly type: AttributeType
  readonly entries: readonly AttributeEntry[]
}

/** Entries of one key and source together; of two for one customer the later counts. */
function groups(entries: readonly AttributeEntry[]): readonly Group[] {
  const byGroup = new Map<string, Map<string, AttributeEntry>>()
  for (const entry of entries) {
    const name = JSON.stringify([entry.key, entry.source_id])
    const group = byGroup.get(name) ?? new Map<string, AttributeEntry>()
    byGroup.set(name, group.set(entry.customer_id, entry))
  }
  return [...byGroup.values()].flatMap((group) => {
    const [first] = group.values()
    return first === undefined
      ? []
      : [{ key: first.key, source_id: first.source_id, type: first.type, entries: [...group.values()] }]
  })
}

async function putGroup(
  on: On,
  { key, source_id, type }: Group,
  entries: readonly AttributeEntry[],
  origin: AttributeOrigin,
  at: string,
): Promise<number> {
  const column = valueColumn(type)
  const rowsFor = (changed: readonly AttributeEntry[]) =>
    changed.map(({ customer_id, value }) => ({
      attribute_key: key,
      source_id,
      customer_id,
      [column]: value,
      origin,
      updated_at: instantForStore(at),
    }))
  const merged = [column, 'origin', 'updated_at']
  const identity = ['attribute_key', 'source_id', 'customer_id']
  const query = on('attribute_value')
  if (query.client.driverName === 'pg') {
    // No look beforehand: of a table that fills in this transaction PostgreSQL knows no size, and would read it whole each time.
    const changed: unknown[] = await query
      .insert(rowsFor(entries))
      .onConflict(identity)
      .merge(merged)
      .whereRaw('?? is distinct from ??', [`attribute_value.${column}`, `excluded.${column}`])
      .returning('customer_id')
    return changed.length
  }
  const known: StoreRow[] = await query
    .where({ attribute_key: key, source_id })
    .whereIn(
      'customer_id',
      entries.map(({ customer_id }) => customer_id),
    )
    .select('customer_id', column)
  const present = new Map(known.map((row) => [textOf(row, 'customer_id'), storedValue(row, type)]))
  const changed = entries.filter(({ customer_id, value }) => present.get(customer_id) !== value)
  if (changed.length > 0) await on('attribute_value').insert(rowsFor(changed)).onConflict(identity).merge(merged)
  return changed.length
}
