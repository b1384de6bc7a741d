import type * as z from 'zod'
import { empty, type Fragment, fn, ident, join, sql } from '../../compiler/fragment.ts'
import type { Calendar } from '../../core/calendar.ts'
import { InternalError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import { defineField, type Field } from '../field.ts'
import type { JoinName } from '../joins.ts'
import type { OrderTerm } from '../order.ts'

/** Lists from the billing engine (http-api.md 5). */
export type ListName = 'customers' | 'subscriptions' | 'invoices'

/** A list of records: its template in sql/data, its filters, and the form of its rows. */
export interface ListDefinition {
  readonly name: ListName
  readonly template: string
  /** Canonical relations without which it cannot be answered. */
  readonly reads: readonly string[]
  /** Fields to filter by. */
  readonly fields: readonly Field[]
  /** Values of the field `status`. */
  readonly statuses: readonly string[]
  /** Present if every row is one subscription, whose fields filter the row. Absent: they filter the rows by their customers. */
  readonly subscriptions?: RowsOfSubscriptions
  /** `search` matches any part of the texts in `parts`, or a complete text in `ids`. */
  readonly searched: { readonly parts: readonly Fragment[]; readonly ids: readonly Fragment[] }
  readonly source_id: Fragment
  /** Account id for the parameter `customer_id`; absent if the list has no such parameter. */
  readonly customer_id?: Fragment
  /** Day for `start` and `end`; absent if they have no effect. */
  readonly day?: Fragment
  /** Days for `open_for_days`: null for a record that is not open (D90). Absent if records are never open. */
  readonly days_open?: Fragment
  /** Fields to sort by. */
  readonly order: OrderFields
  readonly row: z.ZodObject
  /** The row of the answer. Days and months of instants are those of the calendar. */
  write(row: Row, calendar: Calendar): Readonly<Record<string, unknown>>
}

/** Rows of a template that has the state of a subscription as `fact`. */
export interface RowsOfSubscriptions {
  /** Fields whose value in the rows differs from that of the subscription's span, by name without `subscription.`. */
  readonly fields: readonly Field[]
  /** The relations that the template joins. */
  readonly joined: readonly JoinName[]
}

/** A text field of a list. */
export function listField(
  key: string,
  description: string,
  expression: Fragment,
  rest: Partial<Pick<Field, 'isUpperCase' | 'known' | 'values' | 'same_as'>> = {},
): Field {
  return defineField({ key, type: 'string', description, expression: () => expression, ...rest })
}

/** The tenant of a record. Every template of a list joins `relation.tenant`. */
export const TENANT_FIELD = listField('tenant', 'Name of the tenant.', sql`tenant.tenant_name`)

/** Sort keys of a list: values of `record` (the row in sql/data) by field name of the answer. */
type OrderFields = Readonly<Record<string, Fragment>>

/** Columns of `record` by field name. Texts are sorted by code point on every database (http-api.md 1.6). */
export function orderFields(columns: {
  readonly texts: Readonly<Record<string, string>>
  readonly others: Readonly<Record<string, string>>
}): OrderFields {
  const column = (name: string) => sql`record.${ident(name)}`
  const texts = Object.entries(columns.texts).map(([field, name]) => [field, fn('exact_text', column(name))] as const)
  const others = Object.entries(columns.others).map(([field, name]) => [field, column(name)] as const)
  return Object.fromEntries([...texts, ...others])
}

/** Content of the slot `order_by`. Each term ends with a comma, because the default order follows. Nulls are last in both directions. */
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
