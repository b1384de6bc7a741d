import type { Definitions } from '../../core/definitions.ts'
import type { TemplateRun } from '../../metrics/define-metric.ts'
import type { RequestSession } from './session.ts'

/** The range of a statement, and the window of the facts that it needs: a swap window lies around the range (D83). */
export function windowParams({ from, to }: TemplateRun['window'], { swap_window }: Definitions) {
  const around = swap_window * 60_000
  return {
    range_start: from,
    range_end: to,
    window_start: new Date(from.getTime() - around),
    window_end: new Date(to.getTime() + around),
  }
}

/** The session for what the engine itself bills: subscriptions end where the engine ends them, also under a swap window (D83). */
export function withOwnEnds(session: RequestSession): RequestSession {
  const aliases = new Map([...session.connector.aliases].filter(([name]) => name !== 'subscription_span'))
  return { ...session, connector: { ...session.connector, aliases } }
}
