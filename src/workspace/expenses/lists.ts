import type * as z from 'zod'
import { InternalError } from '../../core/errors.ts'
import { ACCOUNT_TYPES, BILL_KINDS, BILL_STATUSES } from '../../core/expense.ts'
import { dayOf } from '../../core/periods.ts'
import type { ExpenseListQuery, ExpenseStore, ListPage } from '../../ports/expense-store.ts'
import type { Condition } from '../../query/condition.ts'
import { defineField } from '../../query/field.ts'
import { collectIssues, throwIssues } from '../../query/issues.ts'
import { placeOfFilter } from '../../query/lists/filters.ts'
import { type DataRequest, type ListInputs, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { type BaseCents, BILL_ROW, billRow, LINE_ROW, lineRow, VENDOR_ROW, vendorRow } from './rows.ts'

export type ExpenseListName = 'bills' | 'lines' | 'vendors'

interface ExpenseListField {
  readonly key: string
  readonly description: string
  /** Column of the store. */
  readonly column: string
  /** All values, if they are few. */
  readonly known?: readonly string[]
  readonly isUpperCase?: boolean
}

/** An expense list: its filters and its rows. */
export interface ExpenseList {
  readonly name: ExpenseListName
  /** Below `/api`. */
  readonly path: string
  readonly summary: string
  readonly fields: readonly ExpenseListField[]
  readonly takesDays: boolean
  readonly row: z.ZodObject
  read(store: ExpenseStore, query: ExpenseListQuery, base: BaseCents): Promise<ListPage<Readonly<Record<string, unknown>>>>
}

const VENDOR: ExpenseListField = {
  key: 'vendor_id',
  description: 'Id of the vendor',
  column: 'vendor_external_id',
}
const CURRENCY: ExpenseListField = {
  key: 'currency',
  description: 'Currency',
  column: 'currency',
  isUpperCase: true,
}
const UNKNOWN = 'unknown'

/** All lists, by name. */
export const EXPENSE_LISTS: Readonly<Record<ExpenseListName, ExpenseList>> = {
  bills: {
    name: 'bills',
    path: 'bills',
    summary: 'Current bills and vendor credits, newest first',
    fields: [
      {
        key: 'status',
        description: 'Status',
        column: 'status',
        known: BILL_STATUSES,
      },
      {
        key: 'kind',
        description: 'Bill or credit',
        column: 'bill_kind',
        known: BILL_KINDS,
      },
      VENDOR,
      CURRENCY,
    ],
    takesDays: true,
    row: BILL_ROW,
    read: async (store, query, base) => written(await store.bills(query), (bill) => billRow(bill, base)),
  },
  lines: {
    name: 'lines',
    path: 'expenses/lines',
    summary: 'Counted lines of bills and expenses, newest first',
    fields: [
      {
        key: 'account_type',
        description: 'Type of the account',
        column: 'account_type',
        known: [...ACCOUNT_TYPES, UNKNOWN],
      },
      {
        key: 'account_id',
        description: 'Id of the account',
        column: 'account_external_id',
      },
      VENDOR,
      CURRENCY,
      {
        key: 'document_kind',
        description: 'bill or expense',
        column: 'document_kind',
        known: ['bill', 'expense'],
      },
      { key: 'class', description: 'Class', column: 'class' },
      { key: 'department', description: 'Department', column: 'department' },
      { key: 'project', description: 'Project', column: 'project' },
    ],
    takesDays: true,
    row: LINE_ROW,
    read: async (store, query, base) => written(await store.lines(query), (line) => lineRow(line, base)),
  },
  vendors: {
    name: 'vendors',
    path: 'vendors',
    summary: 'Vendors with the amounts owed to them, by name',
    fields: [],
    takesDays: false,
    row: VENDOR_ROW,
    read: async (store, query, base) => written(await store.vendors(query), (vendor) => vendorRow(vendor, base)),
  },
}

/** Parameters of a list (http-api.md 5). */
export function expenseListInputs({ fields, takesDays }: ExpenseList): ListInputs {
  return {
    fields: fields.map(({ key, description, known = [], isUpperCase = false }) =>
      defineField({
        key,
        type: 'string',
        description,
        known: key === 'status' ? [] : known,
        isUpperCase,
        held_in: 'books',
        expression: () => null,
      }),
    ),
    statuses: fields.find(({ key }) => key === 'status')?.known ?? [],
    own: ['limit', 'offset', 'search', 'source_id'],
    takesDays,
    takesSegment: false,
  }
}

/** Reads a request for the list. AppError with every issue at once. */
export function parseExpenseRequest(list: ExpenseList, params: Raw, spec: Raw, now: Date): DataRequest {
  const request = parseData(params, spec, expenseListInputs(list), now)
  const { report, issues } = collectIssues()
  for (const { field, operator } of request.conditions) {
    if (operator !== '=' && operator !== 'in') {
      report('invalid_operator', placeOfFilter(field.key, params), `"${field.key}" takes only = or a list of values.`, {
        value: operator,
      })
    }
  }
  throwIssues(issues)
  return request
}

/** The request as a query of the store. Documents dated after now are not listed, and their amounts are not owed yet (D3). */
export function queryOf(list: ExpenseList, { conditions, ...request }: DataRequest, now: Date): ExpenseListQuery {
  const { limit, offset, source_id, search, start, end } = request
  const today = dayOf(now)
  const filters = new Map<string, readonly (string | null)[]>()
  for (const { field, values } of conditions) {
    const column = list.fields.find(({ key }) => key === field.key)?.column
    if (column === undefined) throw new InternalError(`the list of ${list.name} has no field "${field.key}"`)
    const texts = values.map((value) => (column === 'account_type' && value === UNKNOWN ? null : String(value)))
    const others = filters.get(column)
    filters.set(column, others === undefined ? texts : texts.filter((text) => others.includes(text)))
  }
  const last = end === undefined || end > today ? today : end
  return { limit, offset, source_id, search, start, end: last, filters }
}

const SOURCE_ID = defineField({
  key: 'source_id',
  type: 'string',
  description: 'Id of the source',
  held_in: 'books',
  expression: () => null,
})

/** The filters of a request, with its parameter `source_id`. */
export function namedIn({ conditions, source_id }: DataRequest): readonly Condition[] {
  return source_id === undefined ? conditions : [...conditions, { field: SOURCE_ID, operator: '=', values: [source_id] }]
}

function written<T, Row>({ total, rows }: ListPage<T>, write: (row: T) => Row): ListPage<Row> {
  return { total, rows: rows.map(write) }
}
