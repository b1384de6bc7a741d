import { type Fragment, fn, sql, textList } from '../compiler/fragment.ts'

/** What a customer may be called by, as sql/data/customers_wanted.sql has it. */
export type NameColumn = 'customer_id' | 'external_key' | 'email'

const COLUMNS = {
  customer_id: sql`fact.customer_id`,
  external_key: sql`fact.external_key`,
  email: sql`fact.email`,
} as const satisfies Record<NameColumn, Fragment>

/** The column holds one of the names, as its index compares: on MySQL other letters and blanks at the end may be equal. */
export function namedAny(column: NameColumn, names: readonly string[]): Fragment {
  return sql`${comparable(column, names)} in (${textList(names)})`
}

// A MySQL column of three-byte characters is not compared with others at all, unless it is converted, and then no index serves.
function comparable(column: NameColumn, names: readonly string[]): Fragment {
  const name = COLUMNS[column]
  return names.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text)) ? fn('exact_text', name) : name
}
