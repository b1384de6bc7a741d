import { shortened } from '../../core/text.ts'
import type { Viewer } from '../../core/workspace.ts'
import type { RequestContext } from './environment.ts'

/** Length of the column, with room for an ellipsis. */
const LONGEST_NAME = 199

/** The caller as a viewer of dashboards. Charts of others may name customers, so only the scope `read` sees their dashboards. */
export function viewerOf(context: RequestContext): Viewer {
  const { id, name, email, scopes } = context.get('principal')
  return {
    id,
    // An issuer chooses it.
    name: shortened(name ?? email ?? null, LONGEST_NAME),
    sees: scopes.includes('read') ? 'workspace' : 'own',
    isAdministrator: scopes.includes('admin'),
  }
}
