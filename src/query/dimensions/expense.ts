import { sql } from '../../compiler/fragment.ts'
import { ACCOUNT_TYPES } from '../../core/expense.ts'
import { defineField } from '../field.ts'

/** Account type of a line without an account, or with one missing from the books (http-api.md 3.6). */
const UNKNOWN_ACCOUNT_TYPE = 'unknown'

// Rows have the book and the account type, so TypeScript groups and filters by these at no cost to the database.
const EXPENSE_SOURCES = [
  defineField({
    key: 'source',
    shows: 'totals',
    type: 'string',
    description: 'Type of the connection that supplies the books; csv for imported files.',
    constant: 'always',
    held_in: 'books',
    expression: () => null,
  }),
  defineField({
    key: 'source_id',
    shows: 'totals',
    type: 'string',
    description: 'Id of the connection, or the name under which files were imported.',
    constant: 'always',
    held_in: 'books',
    expression: () => null,
  }),
]

/** Currency of the document. */
const EXPENSE_CURRENCY = defineField({
  key: 'currency',
  shows: 'totals',
  type: 'string',
  description:
    'Currency of the bill or expense. If you group by it, rows also have the amounts in that currency. Base amounts do not change.',
  constant: 'always',
  held_in: 'books',
  isUpperCase: true,
  expression: () => sql`fact.currency`,
})

/** Type of the account that a line is booked on. */
export const ACCOUNT_TYPE = defineField({
  key: 'account_type',
  shows: 'totals',
  type: 'string',
  description:
    'Type of the account: expense, cogs, income, asset, liability, equity or other; unknown if the line has no known account.',
  constant: 'always',
  held_in: 'books',
  known: [...ACCOUNT_TYPES, UNKNOWN_ACCOUNT_TYPE],
  expression: () => null,
})

/** Vendor that sent the bill or was paid. */
export const VENDOR_ID = defineField({
  key: 'vendor_id',
  type: 'string',
  description: 'Id of the vendor in its books; null without a vendor.',
  constant: 'always',
  held_in: 'books',
  expression: () => sql`fact.vendor_external_id`,
})

/** Name of the vendor. It is added to the rows after they are summed by id. */
export const VENDOR_NAME = defineField({
  key: 'vendor_name',
  type: 'string',
  description: 'Name of the vendor; its id if the books have no such vendor; (unassigned) without a vendor.',
  constant: 'always',
  held_in: 'books',
  expression: () => null,
})

/** Vendor columns of answers. */
export const VENDOR_DIMENSIONS = [VENDOR_ID, VENDOR_NAME]

const LINE_TAGS = [
  defineField({
    key: 'class',
    type: 'string',
    description: 'Class of the line.',
    constant: 'always',
    held_in: 'books',
    expression: () => sql`fact.class`,
  }),
  defineField({
    key: 'department',
    type: 'string',
    description: 'Department of the document.',
    constant: 'always',
    held_in: 'books',
    expression: () => sql`fact.department`,
  }),
  defineField({
    key: 'project',
    type: 'string',
    description: 'Project or customer for which the line was bought.',
    constant: 'always',
    held_in: 'books',
    expression: () => sql`fact.project`,
  }),
]

/** Dimensions and filters of expenses (http-api.md 4). */
export const EXPENSE_DIMENSIONS = [...EXPENSE_SOURCES, EXPENSE_CURRENCY, ACCOUNT_TYPE, ...VENDOR_DIMENSIONS, ...LINE_TAGS]

/** Day of the document, as a filter on lines. */
export const TXN_DATE_FIELD = defineField({
  key: 'txn_date',
  shows: 'totals',
  type: 'date',
  description: 'Day of the bill or expense.',
  constant: 'always',
  held_in: 'books',
  expression: () => sql`fact.document_date`,
})
