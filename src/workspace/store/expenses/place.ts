import type { Knex } from 'knex'
import type { ExpenseRecord } from '../../../core/expense.ts'
import { type Database, table } from '../database.ts'

/** The records of one kind in a book, inside a transaction. */
export interface BookPlace {
  readonly database: Database
  readonly transaction: Knex
  readonly bookId: number
  readonly kind: ExpenseRecord['kind']
}

/** Rows of a table that are in the book. */
export function inBook({ database, transaction, bookId }: BookPlace, name: string): Knex.QueryBuilder {
  return table(database, name, transaction).where({ book_id: bookId })
}
