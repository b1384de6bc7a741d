import type { Workspace } from '../../src/core/workspace.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Vault } from '../../src/workspace/expenses/sources/connectors.ts'

/** What a process of its own needs to read a company's books with the tokens in a store. */
export interface RenewingTask {
  readonly store: { readonly url: string; readonly schema: string; readonly baseDirectory: string; readonly secretKey: string }
  readonly workspace: Workspace
  readonly settings: unknown
  readonly realm: string
}

/** What the store keeps for a workspace, with what seals it. */
export function keptIn(store: Store, workspace: Workspace): Vault {
  const owned = store.inWorkspace?.(workspace)
  if (owned === undefined || store.secrets === undefined) throw new Error('the store has no workspaces')
  return { workspace: workspace.name, sources: owned.sources, secrets: store.secrets }
}
