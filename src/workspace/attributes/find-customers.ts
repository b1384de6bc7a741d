import { sql } from '../../compiler/fragment.ts'
import type { CustomerRef } from '../../core/attribute.ts'
import { chunksOf } from '../../core/batches.ts'
import { isStorable } from '../../core/text.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { compileDataQuery } from '../../execution/session/attributes/engine-attributes.ts'
import { inHeldSession } from '../../execution/session/held-session.ts'
import { openSession, type RequestSession } from '../../execution/session/session.ts'
import type { IdKind } from '../../ports/attribute-store.ts'
import { textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type NameColumn, namedAny } from '../../records/filters.ts'

/** Finds the customers that have one of these names, by name. Includes test accounts, because the caller names them (D16). */
type FindCustomers = (ids: readonly string[], kind: IdKind) => Promise<ReadonlyMap<string, readonly CustomerRef[]>>

/**
 * A search that opens a new snapshot for each list of names, so that a long import does not keep a snapshot open. If only the cache can answer, it finds
 * the customers that count.
 */
export async function customerSearch(deps: EngineDependencies): Promise<FindCustomers> {
  const { executor } = deps
  const withTests = { ...deps.definitions, test_accounts: 'include' as const }
  const opened =
    deps.isHeldOnly === true
      ? undefined
      : await executor.withSnapshot((snapshot) => openSession(deps, snapshot, deps.clock.now(), withTests))
  const inSession = <T>(work: (session: Pick<RequestSession, 'catalog' | 'connector' | 'params' | 'snapshot'>) => Promise<T>) =>
    opened === undefined
      ? inHeldSession(deps, executor, work)
      : executor.withSnapshot((snapshot) => work({ ...opened, snapshot }))
  const search = async (ids: readonly string[], column: NameColumn): Promise<Map<string, CustomerRef[]>> => {
    // If no database can hold a name, no customer has it.
    const possible = ids.filter(isStorable)
    if (possible.length === 0) return new Map()
    const rows = await inSession(async ({ snapshot, ...session }) => {
      const { dialect } = snapshot
      const answers: (readonly Row[])[] = []
      for (const names of chunksOf(possible, dialect.longestIndexedList)) {
        const filters = sql` and ${namedAny(column, names)}`
        answers.push(await snapshot.query(compileDataQuery('customers_wanted', filters, { deps, ...session }, dialect)))
      }
      return answers.flat()
    })
    const wanted = new Set(possible)
    const found = new Map<string, CustomerRef[]>()
    for (const row of rows) {
      // MySQL treats some different letters as equal and ignores trailing blanks.
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
