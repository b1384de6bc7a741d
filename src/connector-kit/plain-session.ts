import type { ConnectorSession } from '../ports/session.ts'

/** The session of an engine whose files need nothing but the database: no inline relations, no variants, no rates of its own. */
export function plainSession(known: Pick<ConnectorSession, 'sources' | 'currencies'>): ConnectorSession {
  return { ...known, params: {}, inline: new Map(), aliases: new Map(), rates: () => Promise.resolve([]) }
}
