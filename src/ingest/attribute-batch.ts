import type { AttributeEntry, AttributeType, CustomerRef, StoredAttribute } from '../core/attribute.ts'
import { inferAttributeType, parseAttribute } from '../core/attribute-value.ts'
import type { AttributeImportPlace, AttributeImportResult } from '../ports/attribute-import.ts'
import type { AttributeWriter } from '../ports/attribute-store.ts'
import type { AttributeHeader } from './attribute-header.ts'
import type { CsvRecord } from './csv-stream.ts'

const MOST_LISTED = 1_000
/** How many characters of a cell or name a report shows, so that it stays readable. */
const MOST_CHARACTERS = 1_000

type Rejection = AttributeImportResult['cells_rejected'][number]

/** Takes the rows of an import in batches and keeps account of what became of them. */
export interface AttributeBatch {
  take(rows: readonly CsvRecord[]): Promise<void>
  rowsRead(): number
  result(): AttributeImportResult
}

/** Puts rows into the store. Customers are looked up once per batch, and the first value of a new key decides its type. */
export function attributeBatch(
  { id, attributes }: AttributeHeader,
  definitions: ReadonlyMap<string, StoredAttribute>,
  { writer, place }: { readonly writer: AttributeWriter; readonly place: AttributeImportPlace },
): AttributeBatch {
  const types = new Map<string, AttributeType>([...definitions].map(([key, { type }]) => [key, type]))
  const created: string[] = []
  const unknown = new Set<string>()
  const rejected: Rejection[] = []
  let rejectedTotal = 0
  let rowsRead = 0
  let rowsUpserted = 0

  const reject = (row: number, key: string, value: string, reason: Rejection['reason']) => {
    rejectedTotal += 1
    if (rejected.length < MOST_LISTED) rejected.push({ row, key, value: value.slice(0, MOST_CHARACTERS), reason })
  }
  const typeOf = async (key: string, cell: string): Promise<AttributeType | undefined> => {
    const known = types.get(key)
    const type = known ?? inferAttributeType(cell)
    if (known !== undefined || type === undefined) return known
    const { at } = place
    await writer.define({ key, type, label: key, source: 'csv', description: null, created_at: at, updated_at: at })
    types.set(key, type)
    created.push(key)
    return type
  }
  const entriesOf = async ({ row, cells }: CsvRecord, customer: CustomerRef): Promise<readonly AttributeEntry[]> => {
    const entries: AttributeEntry[] = []
    for (const { key, index } of attributes) {
      const cell = cells[index] ?? ''
      if (cell === '') continue
      const type = types.get(key) ?? (await typeOf(key, cell))
      const value = type === undefined ? undefined : parseAttribute(cell, type)
      if (type === undefined || value === undefined) reject(row, key, cell, 'type_mismatch')
      else entries.push({ key, type, source_id: customer.source_id, customer_id: customer.customer_id, value })
    }
    return entries
  }

  return {
    async take(rows) {
      rowsRead += rows.length
      const named = rows.filter(({ cells }) => (cells[id.index] ?? '') !== '')
      const ids = [...new Set(named.map(({ cells }) => cells[id.index] ?? ''))]
      const customers = await place.findCustomers(ids, id.kind)
      const accepted: AttributeEntry[] = []
      for (const record of named) {
        const name = record.cells[id.index] ?? ''
        const [customer, another] = customers.get(name) ?? []
        if (customer === undefined) unknown.add(name)
        else if (another !== undefined) reject(record.row, id.name, name, 'ambiguous_customer')
        else {
          const entries = await entriesOf(record, customer)
          if (entries.length > 0) rowsUpserted += 1
          for (const entry of entries) accepted.push(entry)
        }
      }
      await writer.put(accepted, 'csv', place.at)
    },
    rowsRead: () => rowsRead,
    result: () => ({
      rows_read: rowsRead,
      rows_upserted: rowsUpserted,
      unknown_customers: [...unknown].slice(0, MOST_LISTED).map((name) => name.slice(0, MOST_CHARACTERS)),
      keys_created: [...created].sort(),
      cells_rejected: rejected,
      unknown_customers_total: unknown.size,
      cells_rejected_total: rejectedTotal,
    }),
  }
}
