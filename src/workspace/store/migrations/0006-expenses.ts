import type { Knex } from 'knex'
import { booleanType, createTable, dayType, documentType, instantType, keyType, textType } from './columns.ts'

const WORKSPACE = 64
const SOURCE = 100
const ID = 128
const CODE = 16
const NAME = 512
const RATE = 40

/**
 * Expenses from accounting platforms and files (D60). A book is the ledger of one source in a workspace. In each row, its short
 * number replaces the names of workspace and source. Records have the ids of the platform. A record may refer to another record
 * that arrives later or never, so the tables have no foreign keys.
 */
export async function createExpenses(knex: Knex, schema: string | undefined): Promise<void> {
  const columns = columnsOf(knex)
  const create = (name: string, define: (table: Knex.CreateTableBuilder) => void) => createTable(knex, schema, name, define)

  await create('book', (table) => {
    table.increments('book_id')
    columns.key(table, 'workspace', WORKSPACE).notNullable()
    columns.key(table, 'source_id', SOURCE).notNullable()
    table.unique(['workspace', 'source_id'], { indexName: 'book_of_source' })
  })
  // Reported deletions that consist only of an id. They also apply to records that arrive later.
  await create('deletion', (table) => {
    table.integer('book_id').notNullable()
    columns.key(table, 'record_kind', CODE).notNullable()
    columns.key(table, 'external_id', ID).notNullable()
    table.specificType('deleted_at', instantType(knex)).notNullable()
    table.primary(['book_id', 'record_kind', 'external_id'])
  })
  await createParties(create, columns)
  await createDocuments(create, columns)
}

type Create = (name: string, define: (table: Knex.CreateTableBuilder) => void) => Promise<void>
type Columns = ReturnType<typeof columnsOf>

async function createParties(create: Create, columns: Columns): Promise<void> {
  await create('vendor', (table) => {
    columns.kept(table)
    columns.name(table, 'name').notNullable()
    columns.flag(table, 'is_active').notNullable()
  })
  await create('account', (table) => {
    columns.kept(table)
    columns.name(table, 'name').notNullable()
    columns.key(table, 'account_type', CODE)
    columns.key(table, 'parent_external_id', ID)
    columns.flag(table, 'is_active').notNullable()
  })
  await create('item', (table) => {
    columns.kept(table)
    columns.name(table, 'name').notNullable()
    columns.key(table, 'account_external_id', ID)
  })
}

async function createDocuments(create: Create, columns: Columns): Promise<void> {
  await create('bill', (table) => {
    columns.kept(table)
    columns.document(table)
    columns.key(table, 'bill_kind', CODE).notNullable()
    columns.key(table, 'status', CODE)
    columns.day(table, 'due_date')
    table.bigInteger('total_cents').notNullable()
    table.bigInteger('balance_cents').notNullable()
    table.index(['book_id', 'document_date'], 'bill_by_date')
    table.index(['book_id', 'vendor_external_id'], 'bill_by_vendor')
  })
  await create('expense', (table) => {
    columns.kept(table)
    columns.document(table)
    columns.key(table, 'payment_type', CODE)
    columns.flag(table, 'is_voided').notNullable()
    table.bigInteger('total_cents').notNullable()
  })
  await create('bill_payment', (table) => {
    columns.kept(table)
    columns.document(table)
    columns.key(table, 'payment_type', CODE)
    columns.flag(table, 'is_voided').notNullable()
    table.bigInteger('amount_cents').notNullable()
    columns.json(table, 'applied').notNullable()
  })
  await create('document_line', (table) => defineLine(table, columns))
}

// Lines of bills and expenses together. Each line repeats the fields of its document, so that figures are read from a single
// index.
function defineLine(table: Knex.CreateTableBuilder, columns: Columns): void {
  table.integer('book_id').notNullable()
  columns.key(table, 'document_kind', CODE).notNullable()
  columns.key(table, 'document_external_id', ID).notNullable()
  columns.key(table, 'line_id', ID).notNullable()
  table.integer('position').notNullable()
  columns.money(table)
  columns.flag(table, 'is_counted').notNullable()
  columns.key(table, 'account_external_id', ID)
  columns.key(table, 'item_external_id', ID)
  table.bigInteger('amount_cents').notNullable()
  table.bigInteger('home_amount_cents')
  for (const dimension of ['class', 'department', 'project']) columns.name(table, dimension)
  columns.text(table, 'description')
  columns.json(table, 'metadata').notNullable()
  table.primary(['book_id', 'document_kind', 'document_external_id', 'line_id'])
  const measured = ['account_external_id', 'currency', 'home_currency', 'vendor_external_id', 'amount_cents', 'home_amount_cents']
  table.index(['book_id', 'is_counted', 'document_date', ...measured], 'document_line_by_date')
  table.index(['book_id', 'item_external_id'], 'document_line_by_item')
}

function columnsOf(knex: Knex) {
  const key = (table: Knex.CreateTableBuilder, name: string, length: number) => table.specificType(name, keyType(knex, length))
  const flag = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, booleanType(knex))
  const day = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, dayType(knex))
  const json = (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, documentType(knex))
  const money = (table: Knex.CreateTableBuilder) => {
    day(table, 'document_date').notNullable()
    key(table, 'currency', 3).notNullable()
    key(table, 'home_currency', 3)
    key(table, 'vendor_external_id', ID)
  }
  return {
    key,
    flag,
    day,
    json,
    money,
    name: (table: Knex.CreateTableBuilder, name: string) => key(table, name, NAME),
    text: (table: Knex.CreateTableBuilder, name: string) => table.specificType(name, textType(knex)),
    /** The columns of every record. The fingerprint shows whether two versions have the same content. */
    kept: (table: Knex.CreateTableBuilder) => {
      table.integer('book_id').notNullable()
      key(table, 'external_id', ID).notNullable()
      table.specificType('updated_at', instantType(knex)).notNullable()
      key(table, 'fingerprint', 64).notNullable()
      flag(table, 'is_deleted').notNullable()
      json(table, 'metadata').notNullable()
      table.primary(['book_id', 'external_id'])
    },
    document: (table: Knex.CreateTableBuilder) => {
      money(table)
      key(table, 'exchange_rate', RATE)
      key(table, 'number', NAME)
    },
  }
}
