import { join as joinPath } from 'node:path'
import { loadCatalog, type SqlCatalog } from '../compiler/catalog.ts'
import { compileFragment } from '../compiler/compile.ts'
import type { Dialect } from '../compiler/dialect.ts'
import type { BoundValue, Fragment } from '../compiler/fragment.ts'
import type { Statement } from '../compiler/statement.ts'
import { InternalError } from '../core/errors.ts'
import { packageRoot } from '../core/package-root.ts'
import type { Row } from '../ports/rows.ts'
import type { Snapshot } from '../ports/snapshot.ts'

export { digits, empty, type Fragment, fn, fragment, ident, join, relation, sql, textList, value } from '../compiler/fragment.ts'
export { parseInteger } from '../core/money.ts'
export { instantCell, integerCell, integerOrNull, text, textCell } from '../ports/cells.ts'

/** Runs a small statement written with the sql tag in the request's snapshot. `label` shows in the slow log. */
export type QueryRunner = (label: string, statement: Fragment) => Promise<readonly Row[]>

/** Statements of a connector read tables, not relations. */
const NO_RELATIONS: SqlCatalog = {
  query: () => {
    throw new InternalError('a connector statement is no metric query')
  },
  relation: () => undefined,
  queries: () => [],
  relations: () => [],
}

/** Compiles a statement that reads tables, not relations. `label` shows in the slow log. */
export function statementOf(fragment: Fragment, dialect: Dialect, label: string): Statement {
  return compileFragment({
    fragment,
    catalog: NO_RELATIONS,
    inline: new Map(),
    params: {},
    dialect,
    label: `${label} ${dialect.name}`,
  })
}

/** The last statement that was compiled from a fragment: a caller that keeps a fragment has it compiled once. */
const compiled = new WeakMap<Fragment, { readonly dialect: Dialect; readonly label: string; readonly statement: Statement }>()

/** Query runner over a snapshot. */
export function createQueryRunner({ dialect, query }: Snapshot): QueryRunner {
  return (label, fragment) => {
    const known = compiled.get(fragment)
    if (known?.dialect === dialect && known.label === label) return query(known.statement)
    const statement = statementOf(fragment, dialect, label)
    compiled.set(fragment, { dialect, label, statement })
    return query(statement)
  }
}

/**
 * Query runner over a connector's relations. `directory` holds their files. It reads relations that are made of tables alone, without
 * those of a session.
 */
export function createRelationRunner(
  snapshot: Snapshot,
  { directory, params }: { readonly directory: string; readonly params: Readonly<Record<string, BoundValue>> },
): QueryRunner {
  const catalog = loadCatalog({ sql: joinPath(packageRoot(), 'sql'), relations: [directory] })
  const { dialect } = snapshot
  return (label, statement) =>
    snapshot.query(
      compileFragment({ fragment: statement, catalog, inline: new Map(), params, dialect, label: `${label} ${dialect.name}` }),
    )
}
