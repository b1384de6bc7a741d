import type { Knex } from 'knex'
import type { AttributeEntry, AttributeOrigin, AttributeType } from '../../core/attribute.ts'
import type { AttributeWriter } from '../../ports/attribute-store.ts'
import { textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { definitionOf, entryOf, noteOf, rowOf, storedValue, valueColumn } from './attribute-rows.ts'
import { type Database, engineOf, table } from './database.ts'
import { instantForStore } from './instants.ts'
import { upsertRows } from './sqlite/upsert-rows.ts'

const CUSTOMERS_AT_ONCE = 1_000

/** Writes attributes of a workspace. Its transaction has raised the write counter, so no other writer runs at the same time. */
export function attributeWriter(database: Database, transaction: Knex, workspace: string): AttributeWriter {
  const on = (name: string) => table(database, name, transaction)
  const byKey = async <T extends { readonly key: string }>(name: string, read: (row: Row) => T) => {
    const rows: Row[] = await on(name).where({ workspace }).select('*')
    return new Map(rows.map((row) => [textOf(row, 'attribute_key'), read(row)]))
  }
  const replace = async (name: string, row: Record<string, unknown>) =>
    void (await on(name)
      .insert({ workspace, ...row })
      .onConflict(['workspace', 'attribute_key'])
      .merge())
  return {
    definitions: () => byKey('attribute_definition', definitionOf),
    notes: () => byKey('attribute_note', noteOf),
    define: (definition) => replace('attribute_definition', rowOf(definition)),
    note: (note) => replace('attribute_note', rowOf(note)),
    numbersToText: (key, origin, at) => numbersToText({ on, transaction, workspace }, key, origin, at),
    put: (entries, origin, at) => put({ on, transaction, workspace }, entries, origin, at),
    remove: async ({ source_id, customer_id }, key) =>
      (await on('attribute_value').where({ workspace, attribute_key: key, source_id, customer_id }).delete()) > 0,
  }
}

// Works in chunks to limit memory. The numbers are converted here and not in SQL, because each database formats decimals in its
// own way.
async function numbersToText(target: Target, key: string, origin: AttributeOrigin, at: string): Promise<void> {
  const numbers = () =>
    target.on('attribute_value').where({ workspace: target.workspace, attribute_key: key }).whereNotNull('value_number')
  for (;;) {
    const rows: Row[] = await numbers().limit(CUSTOMERS_AT_ONCE).select('*')
    if (rows.length === 0) return
    const entries = rows.map((row) => ({ ...entryOf(row), type: 'string' as const }))
    await put(target, entries, origin, at)
    await numbers().whereNotNull('value_string').update({ value_number: null })
  }
}

interface Target {
  readonly on: (name: string) => ReturnType<typeof table>
  readonly transaction: Knex
  readonly workspace: string
}

async function put(target: Target, entries: readonly AttributeEntry[], origin: AttributeOrigin, at: string): Promise<number> {
  let changed = 0
  for (const group of groups(entries)) {
    for (let first = 0; first < group.entries.length; first += CUSTOMERS_AT_ONCE) {
      changed += await putGroup(target, group, group.entries.slice(first, first + CUSTOMERS_AT_ONCE), origin, at)
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

/** The entries by key and source. If a customer has two entries, the later entry counts. */
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
  { on, transaction, workspace }: Target,
  { key, source_id, type }: Group,
  entries: readonly AttributeEntry[],
  origin: AttributeOrigin,
  at: string,
): Promise<number> {
  const column = valueColumn(type)
  const rowsFor = (changed: readonly AttributeEntry[]) =>
    changed.map(({ customer_id, value }) => ({
      workspace,
      attribute_key: key,
      source_id,
      customer_id,
      [column]: value,
      origin,
      updated_at: instantForStore(at),
    }))
  const merged: [string, ...string[]] = [column, 'origin', 'updated_at']
  const identity = ['workspace', 'attribute_key', 'source_id', 'customer_id']
  if (engineOf(transaction) === 'sqlite') {
    const columns = [...identity, ...merged]
    return upsertRows(transaction, {
      table: 'attribute_value',
      columns,
      rows: rowsFor(entries),
      identity,
      merged,
      compared: column,
    })
  }
  const query = on('attribute_value')
  if (engineOf(transaction) === 'postgres') {
    // There is no lookup first. PostgreSQL has no statistics of a table while it is being filled, so each lookup would scan the
    // whole table.
    const changed: unknown[] = await query
      .insert(rowsFor(entries))
      .onConflict(identity)
      .merge(merged)
      .whereRaw('?? is distinct from ??', [`attribute_value.${column}`, `excluded.${column}`])
      .returning('customer_id')
    return changed.length
  }
  const known: Row[] = await query
    .where({ workspace, attribute_key: key, source_id })
    .whereIn(
      'customer_id',
      entries.map(({ customer_id }) => customer_id),
    )
    .select('customer_id', column)
  const ofType = known.filter((row) => row[column] !== null)
  const present = new Map(ofType.map((row) => [textOf(row, 'customer_id'), storedValue(row, type)]))
  const changed = entries.filter(({ customer_id, value }) => present.get(customer_id) !== value)
  if (changed.length > 0) await on('attribute_value').insert(rowsFor(changed)).onConflict(identity).merge(merged)
  return changed.length
}
