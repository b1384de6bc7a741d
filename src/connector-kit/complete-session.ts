import type { Definitions } from '../core/definitions.ts'
import type { ConnectorSession } from '../ports/session.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import { withoutRows } from '../relations/define-relation.ts'
import { monthStep } from './month-step.ts'

/** What every session has: parameters that any relation may declare, and relations that need no engine. The session's own win. */
export function completeSession(
  session: ConnectorSession,
  connector: { readonly capabilities: Readonly<Record<string, unknown>> },
  definitions: Pick<Definitions, 'mrr_usage' | 'test_accounts'>,
): ConnectorSession {
  const lacking = RELATION_CONTRACTS.filter(
    ({ name, may_be_absent }) => may_be_absent === true && (connector.capabilities[name] ?? 'absent') === 'absent',
  )
  return {
    ...session,
    params: {
      usage_in_mrr: definitions.mrr_usage === 'mean3',
      include_test_accounts: definitions.test_accounts === 'include',
      ...session.params,
    },
    inline: new Map([...[monthStep, ...lacking.map(withoutRows)].map((own) => [own.name, own] as const), ...session.inline]),
  }
}
