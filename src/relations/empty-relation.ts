import { type Fragment, ident, join, relation, sql, value } from '../compiler/fragment.ts'
import type { RelationContract } from './define-relation.ts'

/** The relation without rows, for a statement that can do without it. Its keys have the type of the connector's own, as all of them have one. */
export function emptyRelation({ columns }: RelationContract): Fragment {
  const cells = columns.map(({ name, type }) => {
    const cell = type === 'key' ? sql`nobody.customer_key` : value(null, type)
    return sql`${cell} as ${ident(name)}`
  })
  return sql`(select ${join(cells, sql`, `)} from ${relation('customer')} as nobody where 1 = 0)`
}
