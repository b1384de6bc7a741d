import type { Knex } from 'knex'
import { FILE_BOOKS, UNASSIGNED_VENDOR } from '../../../core/expense.ts'
import { textCell } from '../../../ports/cells.ts'
import type { BookField, ExpenseLists } from '../../../ports/expense-store.ts'
import type { Row } from '../../../ports/rows.ts'
import { type Access, type Database, table } from '../database.ts'

/** A column of a table of records. */
type Place = readonly [table: 'bill' | 'document_line' | 'vendor' | 'account', column: string]

/** The ids of vendors in documents, whose vendor the books need not have. */
const NAMED_VENDORS: readonly Place[] = [
  ['document_line', 'vendor_external_id'],
  ['bill', 'vendor_external_id'],
]

const PLACES: Readonly<Record<Exclude<BookField, 'source' | 'source_id' | 'vendor_name'>, readonly Place[]>> = {
  currency: [
    ['document_line', 'currency'],
    ['bill', 'currency'],
  ],
  vendor_id: [['vendor', 'external_id'], ...NAMED_VENDORS],
  account_id: [
    ['account', 'external_id'],
    ['document_line', 'account_external_id'],
  ],
  class: [['document_line', 'class']],
  department: [['document_line', 'department']],
  project: [['document_line', 'project']],
}

/** The texts of fields in the books of a workspace. */
export function createTexts(access: Access, workspace: string): Pick<ExpenseLists, 'texts'> {
  return {
    texts: (field, among) =>
      access.read(async (database) => {
        const all = await textsOf(field, among, database, workspace)
        return among === undefined ? all : among.filter((text) => all.includes(text))
      }),
  }
}

async function textsOf(
  field: BookField,
  among: readonly string[] | undefined,
  database: Database,
  workspace: string,
): Promise<readonly string[]> {
  if (field === 'source' || field === 'source_id') return sourceTexts(field, database, workspace)
  const books = table(database, 'book').where({ workspace }).select('book_id')
  const read = async (places: readonly Place[], wanted = among): Promise<readonly string[]> => {
    const found = new Set<string>()
    for (const [name, column] of places) {
      const rows: Row[] = await counted(table(database, name), name)
        .whereIn('book_id', books.clone())
        .where((one) => (wanted === undefined ? one.whereNotNull(column) : one.whereIn(column, [...wanted])))
        .distinct(column)
      for (const row of rows) found.add(textCell(row, column) ?? '')
    }
    return [...found]
  }
  if (field !== 'vendor_name') return read(PLACES[field])
  // A vendor that the books do not have is named by its id.
  const ids = await read(NAMED_VENDORS)
  const known = await read([['vendor', 'external_id']], among && ids)
  return [...new Set([UNASSIGNED_VENDOR, ...(await read([['vendor', 'name']])), ...ids.filter((id) => !known.includes(id))])]
}

// A vendor that was deleted, or merged with another one, still names its documents.
function counted(rows: Knex.QueryBuilder, name: Place[0]): Knex.QueryBuilder {
  if (name === 'vendor') return rows
  return name === 'document_line' ? rows.where({ is_counted: true }) : rows.where({ is_deleted: false })
}

async function sourceTexts(field: 'source' | 'source_id', database: Database, workspace: string): Promise<readonly string[]> {
  const connections: Row[] = await table(database, 'source').where({ workspace }).select('id', 'type')
  const books: Row[] = await table(database, 'book').where({ workspace }).select('source_id')
  const types = new Map(connections.map((row) => [textCell(row, 'id') ?? '', textCell(row, 'type') ?? '']))
  for (const row of books) {
    const id = textCell(row, 'source_id') ?? ''
    if (!types.has(id)) types.set(id, FILE_BOOKS)
  }
  return [...new Set(field === 'source' ? types.values() : types.keys())]
}
