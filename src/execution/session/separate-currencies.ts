import { SEPARATE_CURRENCIES } from '../../connector-kit/complete-session.ts'
import type { RequestSession } from './session.ts'

/** The session for a request that groups or filters by currency: movements keep the kinds that they have in their currency alone (D85). */
export function withSeparateCurrencies(session: RequestSession): RequestSession {
  const aliases = new Map([...session.connector.aliases, SEPARATE_CURRENCIES])
  return { ...session, connector: { ...session.connector, aliases } }
}
