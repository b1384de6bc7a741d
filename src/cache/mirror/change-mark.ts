import { join } from '../../compiler/fragment.ts'
import { type Fragment, ident, sql, value } from '../../connector-kit/query-runner.ts'
import { sessionFacts } from '../../connector-kit/session-facts.ts'
import { baseCurrency, type Definitions } from '../../core/definitions.ts'
import { sqlNow } from '../../core/periods.ts'
import type { ChangeMark } from '../../ports/read-through.ts'
import type { ConnectorSession } from '../../ports/session.ts'

// The change mark: one object for as long as the tables and the session stay the same, and no instant in the tables passes.

/** A table with columns that hold instants. */
export interface InstantColumns {
  readonly table: string
  readonly columns: readonly string[]
}

/** The statement that finds the first instant of the tables after `at`. Row groups without later instants are skipped unread. */
export function firstInstantAfter(at: string, tables: readonly InstantColumns[]): Fragment {
  const instant = value(at, 'timestamp')
  const firsts = tables.flatMap(({ table, columns }) =>
    columns.map(ident).map((column) => sql`select min(${column}) as first_at from ${ident(table)} where ${column} > ${instant}`),
  )
  return firsts.length === 0
    ? sql`select null as first_at`
    : sql`select min(first_at) as first_at from (${join(firsts, sql` union all `)}) as instants`
}

/** A new mark from the instant `now` until `next`, the first later instant of the tables. */
export function newMark(now: Date, next: string | null): ChangeMark {
  return { from: sqlNow(now), to: next }
}

/**
 * True if both sessions give the same answers over the same tables. Parameters with the present instant may differ. Inline relations
 * count as the same only if they are the same objects.
 */
export async function isSameSession(
  before: ConnectorSession,
  after: ConnectorSession,
  definitions: Definitions,
): Promise<boolean> {
  if (JSON.stringify(sessionFacts(before)) !== JSON.stringify(sessionFacts(after)) || before.inline.size !== after.inline.size)
    return false
  for (const [name, relation] of after.inline) if (before.inline.get(name) !== relation) return false
  const base = baseCurrency(definitions, after.currencies)
  if (after.currencies.every((currency) => currency === base)) return true
  return JSON.stringify(await before.rates(base)) === JSON.stringify(await after.rates(base))
}
