import { empty, type Fragment, fn, ident, join, sql } from '../../compiler/fragment.ts'
import { InternalError } from '../../core/errors.ts'
import type { OrderTerm } from '../order-by.ts'

/** What the rows of a list can be sorted by: values of `record` (the row in sql/data) by the names of the answer's fields. */
export type OrderFields = Readonly<Record<string, Fragment>>

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
