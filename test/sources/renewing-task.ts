import type { Workspace } from '../../src/core/workspace.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Vault } from '../../src/workspace/expenses/sources/connectors.ts'

/** The input of a process that reads a company's books with the tokens in a store. */
export interface RenewingTask {
  readonly store: { readonly url: string; readonly schema: string; readonly baseDirectory: string; readonly secretKey: string }
  readonly workspace: Workspace
  readonly settings: unknown
  readonly realm: string
}

/** The vault of a workspace in a store, with its seal. */
export function keptIn(store: Store, workspace: Workspace): Vault {
  const owned = store.inWorkspace?.(workspace)
  if (owned === undefined || store.secrets === undefined) throw new Error('the store has no workspaces')
  return { workspace: workspace.name, sources: owned.sources, secrets: store.secrets }
}
