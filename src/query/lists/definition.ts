import type * as z from 'zod'
import { empty, type Fragment, fn, ident, join, sql } from '../../compiler/fragment.ts'
import { InternalError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import { defineField, type Field } from '../field.ts'
import type { OrderTerm } from '../order.ts'

/** What can be listed from the billing engine (http-api.md 5). */
export type ListName = 'customers' | 'subscriptions' | 'invoices'

/** A list of records: its template in sql/data, what narrows it, and how its rows are written. */
export interface ListDefinition {
  readonly name: ListName
  readonly template: string
  /** Canonical relations without which it cannot be answered. */
  readonly reads: readonly string[]
  /** What `filter` may name. */
  readonly fields: readonly Field[]
  /** Values of the field `status`. */
  readonly statuses: readonly string[]
  /** Texts of which `search` may be a part, and ids it may be. */
  readonly searched: { readonly parts: readonly Fragment[]; readonly ids: readonly Fragment[] }
  readonly source_id: Fragment
  /** Account id that the parameter `customer_id` names; absent where there is no such parameter. */
  readonly customer_id?: Fragment
  /** Day that `start` and `end` narrow; absent where they have no effect. */
  readonly day?: Fragment
  /** What `open_for_days` looks at; absent where nothing is open. */
  readonly open?: { readonly status: Fragment; readonly day: Fragment }
  /** What `order` may name. */
  readonly order: OrderFields
  readonly row: z.ZodObject
  write(row: Row): Readonly<Record<string, unknown>>
}

/** A text field of a list. */
export function listField(key: string, description: string, expression: Fragment, isUpperCase = false): Field {
  return defineField({ key, type: 'string', description, isUpperCase, expression: () => expression })
}

/** What the rows of a list can be sorted by: values of `record` (the row in sql/data) by the names of the answer's fields. */
type OrderFields = Readonly<Record<string, Fragment>>

/** Columns of `record` by the fields they are shown as. Texts are sorted by code point on every engine (http-api.md 1.6). */
export function orderFields(columns: {
  readonly texts: Readonly<Record<string, string>>
  readonly others: Readonly<Record<string, string>>
}): OrderFields {
  const column = (name: string) => sql`record.${ident(name)}`
  const texts = Object.entries(columns.texts).map(([field, name]) => [field, fn('exact_text', column(name))] as const)
  const others = Object.entries(columns.others).map(([field, name]) => [field, column(name)] as const)
  return Object.fromEntries([...texts, ...others])
}

/** What the slot `order_by` is filled with: each term ends in a comma, so that the usual order follows. Null is last either way. */
export function orderSlot(fields: OrderFields, terms: readonly OrderTerm[]): Fragment {
  return join(
    terms.map(({ field, isDescending }) => {
      const value = fields[field]
      if (value === undefined) throw new InternalError(`the list has no field "${field}" to sort by`)
      return sql`case when ${value} is null then 1 else 0 end, ${value} ${isDescending ? sql`desc` : sql`asc`}, `
    }),
    empty,
  )
}
