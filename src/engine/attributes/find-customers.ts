import { compileTemplate } from '../../compiler/compile.ts'
import { type Fragment, fn, join, sql, value } from '../../compiler/fragment.ts'
import type { CustomerRef } from '../../core/attribute.ts'
import { textCell } from '../../query/cells.ts'
import type { EngineDependencies } from '../contract.ts'
import type { IdKind } from '../ports.ts'
import { openSession } from '../session.ts'

const COLUMNS = {
  customer_id: sql`fact.customer_id`,
  external_key: sql`fact.external_key`,
  email: sql`fact.email`,
} as const satisfies Record<string, Fragment>

/** Every customer that has one of these names, by name; test accounts too, as they are asked for (D16). */
export type FindCustomers = (ids: readonly string[], kind: IdKind) => Promise<ReadonlyMap<string, readonly CustomerRef[]>>

// A MySQL column of three-byte characters is not compared with others at all, unless it is converted, and then no index serves.
function comparable(column: keyof typeof COLUMNS, names: readonly string[]): Fragment {
  const name = COLUMNS[column]
  return names.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text)) ? fn('exact_text', name) : name
}

/** A search that reads each list of names in a snapshot of its own, so that a long import holds none. */
export async function customerSearch(deps: EngineDependencies): Promise<FindCustomers> {
  const { executor, catalog, connector } = deps
  const withTests = { ...deps, definitions: { ...deps.definitions, test_accounts: 'include' as const } }
  const session = await executor.withSnapshot((snapshot) => openSession(withTests, snapshot, deps.clock.now()))
  const { dialect } = executor
  const search = async (ids: readonly string[], column: keyof typeof COLUMNS): Promise<Map<string, CustomerRef[]>> => {
    // Neither database can hold NUL, so nobody has such a name.
    const possible = ids.filter((id) => !/\0|\p{Cs}/u.test(id))
    const found = new Map<string, CustomerRef[]>()
    if (possible.length === 0) return found
    const names = join(
      possible.map((id) => value(id, 'text')),
      sql`, `,
    )
    const statement = compileTemplate({
      template: catalog.query('data', 'customers_wanted', dialect.name),
      catalog,
      inline: session.connector.inline,
      aliases: session.connector.aliases,
      params: session.params,
      slots: { filters: sql` and ${comparable(column, possible)} in (${names})` },
      dialect,
      label: `data.customers_wanted ${connector.type}/${dialect.name}`,
    })
    const wanted = new Set(possible)
    for (const row of await executor.withSnapshot((snapshot) => snapshot.query(statement))) {
      // MySQL takes other letters for equal, and blanks at the end for none.
      const name = textCell(row, column)
      if (name === null || !wanted.has(name)) continue
      const customer = { source_id: textCell(row, 'source_id') ?? '', customer_id: textCell(row, 'customer_id') ?? '' }
      found.set(name, [...(found.get(name) ?? []), customer])
    }
    return found
  }
  return async (ids, kind) => {
    if (kind !== 'id') return search(ids, kind === 'email' ? 'email' : 'external_key')
    const byId = await search(ids, 'customer_id')
    const others = ids.filter((id) => !byId.has(id))
    return new Map([...byId, ...(await search(others, 'external_key'))])
  }
}
