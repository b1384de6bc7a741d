import type * as z from 'zod'

import type { Fragment } from '../../compiler/fragment.ts'
import type { Row } from '../../ports/rows.ts'
import { defineField, type Field } from '../field.ts'
import type { OrderFields } from './order.ts'

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
