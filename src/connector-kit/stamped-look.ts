import { baseCurrency } from '../core/definitions.ts'
import { InternalError } from '../core/errors.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { DatabaseConnector } from './connector.ts'
import type { MirrorSource, RawTable, RefillCause } from './mirror-source.ts'
import { rowStamp } from './row-memory.ts'
import { digestOf, sessionFacts } from './session-facts.ts'

const ROWS: RefillCause = {
  reason: 'rows_changed',
  text: 'rows of the billing database have changed, and nothing says whose',
}
const SESSION: RefillCause = { reason: 'settings', text: 'the tenants, the definitions or the catalog have changed' }

export interface StampedLook extends Pick<DatabaseConnector, 'open'> {
  /** A text that changes with every committed change of a row of the raw tables. */
  stamp(snapshot: Snapshot, session: ConnectorSession): Promise<string>
}

/**
 * The `look` of a connector without a log of changes: a `refill` whenever the stamp or the session moves. If only the engine's own rates have
 * changed, no rows need to be read again.
 */
export function stampedLook({ open, stamp }: StampedLook): MirrorSource['look'] {
  return async (snapshot, request, given) => {
    const opened = await open(snapshot, request)
    const base = baseCurrency(request.definitions, opened.currencies)
    const session = await detachedSession(opened, base)
    const marks = {
      stamp: await stamp(snapshot, session),
      session: digestOf([request.definitions, [...session.inline], ...sessionFacts(session)]),
      rates: digestOf([base, await session.rates(base)]),
    }
    const before = given as typeof marks | undefined | null
    if (before?.stamp !== marks.stamp) return { session, extent: 'refill', cause: ROWS, customers: [], marks }
    if (before.session !== marks.session) return { session, extent: 'refill', cause: SESSION, customers: [], marks }
    return { session, extent: before.rates === marks.rates ? 'none' : 'customers', customers: [], marks }
  }
}

/** A stamp of all rows of the raw tables. The database reads them all, which suits small databases. */
export function stampOfTables(snapshot: Snapshot, tables: readonly RawTable[]): Promise<string> {
  const selects = tables.map((table) => ({
    statement: table.select('all'),
    columns: table.columns.map(({ name }) => name),
  }))
  return rowStamp(snapshot, selects)
}

/** The session with the engine's own rates into `base` already read. It no longer needs the snapshot. */
async function detachedSession(session: ConnectorSession, base: string): Promise<ConnectorSession> {
  const rates = session.currencies.some((currency) => currency !== base) ? await session.rates(base) : []
  return {
    ...session,
    rates: async (wanted) => {
      if (wanted !== base) throw new InternalError(`rates into ${wanted} were not read`)
      return rates
    },
  }
}
