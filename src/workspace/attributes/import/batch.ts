import {
  type AttributeEntry,
  type AttributeType,
  type CustomerRef,
  MOST_KEYS_AT_ONCE,
  type StoredAttribute,
} from '../../../core/attribute.ts'
import {
  attributeKeyFault,
  changesAsNumber,
  inferAttributeType,
  looksNumeric,
  parseAttribute,
} from '../../../core/attribute-value.ts'
import { AppError } from '../../../core/errors.ts'
import type {
  AttributeImportContext,
  AttributeImportOptions,
  AttributeImportResult,
  AttributeWriter,
  IdKind,
} from '../../../ports/attribute-store.ts'
import { type CsvRecord, headerError } from '../../csv/records.ts'

/** Columns that identify the customer. The first of them in the file is used. Lists of customers call the external key `external_key`. */
export const ID_COLUMNS: readonly string[] = ['customer_id', 'external', 'external_key', 'email']

/** The columns of an import. */
interface AttributeHeader {
  readonly id: { readonly name: string; readonly index: number; readonly kind: IdKind }
  readonly attributes: readonly { readonly key: string; readonly index: number }[]
}

/** Reads the header (http-api.md 7). AppError `invalid_csv` with the wrong column. */
export function readAttributeHeader(
  names: readonly string[],
  { id_column, id_kind }: Pick<AttributeImportOptions, 'id_column' | 'id_kind'>,
): AttributeHeader {
  const name = id_column ?? ID_COLUMNS.find((column) => names.includes(column))
  if (name === undefined) {
    const known = ID_COLUMNS.join(', ')
    throw new AppError('invalid_csv', `The header has no column that identifies the customer. Use one of ${known}.`)
  }
  const index = names.indexOf(name)
  if (index < 0) throw headerError(`The header lacks the column ${JSON.stringify(name)} that identifies the customer.`, name)
  const attributes = names.flatMap((key, at) => (at === index || key.trim() === '' ? [] : [{ key, index: at }]))
  if (attributes.length === 0) throw new AppError('invalid_csv', 'The header has no column with an attribute.')
  if (attributes.length > MOST_KEYS_AT_ONCE) throw tooMany(attributes.length)
  for (const { key } of attributes) {
    const fault = attributeKeyFault(key)
    if (fault !== undefined) throw headerError(`The column ${JSON.stringify(key)} cannot be an attribute. ${fault}`, key)
  }
  return { id: { name, index, kind: id_kind ?? kindOf(name) }, attributes }
}

function tooMany(count: number): AppError {
  const detail = `The header has ${count} attribute columns. One file may set at most ${MOST_KEYS_AT_ONCE}.`
  return new AppError('invalid_csv', detail, { context: { limit: MOST_KEYS_AT_ONCE } })
}

function kindOf(column: string): IdKind {
  if (column === 'external' || column === 'external_key') return 'external'
  return column === 'email' ? 'email' : 'id'
}

type Column = AttributeHeader['attributes'][number]
type KeptAsText = AttributeImportResult['kept_as_text'][number]

/** A value with a leading zero is a code and no number, even if the values of an earlier file looked like numbers. */
const LEADING_ZERO = /^[+-]?0\d/

/** Types of the attributes of an import. */
interface AttributeTypes {
  /**
   * Type of the value in a column of a row. `ahead` holds the rows of the same batch. Undefined if the value has a wrong type.
   */
  typeFor(column: Column, record: CsvRecord, ahead: readonly CsvRecord[]): Promise<AttributeType | undefined>
  /** Current type of a key. */
  typeOf(key: string): AttributeType | undefined
  created(): readonly string[]
  keptAsText(): readonly KeptAsText[]
}

/**
 * Known keys keep their type. The first value of a new key decides its type. If a later value cannot be stored as a number
 * without a change, the key and all its values become text.
 */
function attributeTypes(
  definitions: ReadonlyMap<string, StoredAttribute>,
  { writer, at, most }: { readonly writer: AttributeWriter; readonly at: string; readonly most: number },
): AttributeTypes {
  const created = new Map<string, AttributeType>()
  /**
   * New keys that became text although all their values look like numbers. Each has the first value that a number would change.
   */
  const kept = new Map<string, KeptAsText>()

  const define = async (key: string, type: AttributeType) => {
    await writer.define({ key, type, label: key, source: 'csv', description: null, created_at: at, updated_at: at })
    created.set(key, type)
  }
  const keep = async ({ key, index }: Column, { row, cells }: CsvRecord) => {
    await define(key, 'string')
    kept.set(key, { row, key, value: (cells[index] ?? '').slice(0, most) })
  }
  const changes =
    ({ index }: Column) =>
    (record: CsvRecord) =>
      changesAsNumber(record.cells[index] ?? '')

  return {
    async typeFor(column, record, ahead) {
      const { key, index } = column
      const cell = record.cells[index] ?? ''
      const known = definitions.get(key)
      if (known !== undefined) {
        const isDamaged = known.type === 'number' && known.source === 'csv' && LEADING_ZERO.test(cell)
        return isDamaged ? undefined : known.type
      }
      const before = created.get(key)
      if (before === undefined) {
        const type = inferAttributeType(cell)
        const changing = looksNumeric(cell) ? [record, ...ahead].find(changes(column)) : undefined
        if (changing !== undefined) await keep(column, changing)
        else if (type !== undefined) await define(key, type)
      } else if (before === 'number' && changesAsNumber(cell)) {
        await writer.numbersToText(key, 'csv', at)
        await keep(column, record)
      }
      if (!looksNumeric(cell)) kept.delete(key)
      return created.get(key)
    },
    typeOf: (key) => definitions.get(key)?.type ?? created.get(key),
    created: () => [...created.keys()].sort(),
    keptAsText: () => [...kept.values()],
  }
}

const MOST_LISTED = 1_000
/** Most characters of a cell or name that a report shows. */
const MOST_CHARACTERS = 1_000

type Rejection = AttributeImportResult['cells_rejected'][number]

/** Takes the rows of an import in batches and counts the results. */
interface AttributeBatch {
  take(rows: readonly CsvRecord[]): Promise<void>
  rowsRead(): number
  result(): AttributeImportResult
}

/** Writes rows to the store. Looks up customers once per batch. */
export function attributeBatch(
  { id, attributes }: AttributeHeader,
  definitions: ReadonlyMap<string, StoredAttribute>,
  { writer, context }: { readonly writer: AttributeWriter; readonly context: AttributeImportContext },
): AttributeBatch {
  const types = attributeTypes(definitions, { writer, at: context.at, most: MOST_CHARACTERS })
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
      const customers = await context.findCustomers(ids, id.kind)
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
      // A later row may have turned a number key into text. All earlier numbers were stored exactly as they were written.
      const entries = accepted.map((entry) => ({ ...entry, type: types.typeOf(entry.key) ?? entry.type }))
      await writer.put(entries, 'csv', context.at)
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
