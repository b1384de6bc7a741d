import type { Dialect } from './dialect.ts'
import type { Fragment } from './fragment.ts'
import type { InlineRelation } from './inline.ts'

const written = new WeakMap<Dialect, WeakMap<InlineRelation, Fragment>>()

/** The relation's rows as the dialect reads them. One that many requests share, such as a catalog's, is written out once. */
export function inlineRows(relation: InlineRelation, dialect: Dialect): Fragment {
  const ofDialect = written.get(dialect) ?? new WeakMap<InlineRelation, Fragment>()
  const rows = ofDialect.get(relation) ?? dialect.inlineRelation(relation)
  written.set(dialect, ofDialect.set(relation, rows))
  return rows
}
