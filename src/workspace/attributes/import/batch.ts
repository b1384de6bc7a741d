import type { AttributeEntry, CustomerRef, StoredAttribute } from '../../../core/attribute.ts'
import { parseAttribute } from '../../../core/attribute-value.ts'
import type { AttributeImportPlace, AttributeImportResult, AttributeWriter } from '../../../ports/attribute-store.ts'
import type { CsvRecord } from '../../csv/csv-stream.ts'
import type { AttributeHeader } from './header.ts'
import { attributeTypes } from './types.ts'

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

/** Puts rows into the store. Customers are looked up once per batch. */
export function attributeBatch(
  { id, attributes }: AttributeHeader,
  definitions: ReadonlyMap<string, StoredAttribute>,
  { writer, place }: { readonly writer: AttributeWriter; readonly place: AttributeImportPlace },
): AttributeBatch {
  const types = attributeTypes(definitions, { writer, at: place.at, most: MOST_CHARACTERS })
  const unknown = new Set<string>()
  const rejected: Rejection[] = []
  let rejectedTotal = 0
  let rowsRead = 0
  let rowsUpserted = 0

  const reject = (row: number, key: string, value: string, reason: Rejection['reason']) => {
    rejectedTotal += 1
    if (rejected.length < MOST_LISTED) rejected.push({ row, key, value: value.slice(0, MOST_CHARACTERS), reason })
  }
  const entriesOf = async (record: CsvRecord, customer: CustomerRef, ahead: readonly CsvRecord[]) => {
    const entries: AttributeEntry[] = []
    for (const column of attributes) {
      const { key, index } = column
      const cell = record.cells[index] ?? ''
      if (cell === '') continue
      const type = await types.typeFor(column, record, ahead)
      const value = type === undefined ? undefined : parseAttribute(cell, type)
      if (type === undefined || value === undefined) reject(record.row, key, cell, 'type_mismatch')
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
          const entries = await entriesOf(record, customer, named)
          if (entries.length > 0) rowsUpserted += 1
          for (const entry of entries) accepted.push(entry)
        }
      }
      // Some may have been numbers until a later row showed that they are none; a number that is written like its text is that text.
      const entries = accepted.map((entry) => ({ ...entry, type: types.typeOf(entry.key) ?? entry.type }))
      await writer.put(entries, 'csv', place.at)
    },
    rowsRead: () => rowsRead,
    result: () => ({
      rows_read: rowsRead,
      rows_upserted: rowsUpserted,
      unknown_customers: [...unknown].slice(0, MOST_LISTED).map((name) => name.slice(0, MOST_CHARACTERS)),
      keys_created: types.created(),
      cells_rejected: rejected,
      kept_as_text: types.keptAsText(),
      unknown_customers_total: unknown.size,
      cells_rejected_total: rejectedTotal,
    }),
  }
}
