import type { AuthSettings } from '../core/auth.ts'
import { AppError } from '../core/errors.ts'
import type { Workspace } from '../core/workspace.ts'
import type { AuditStore, KeyStore } from '../ports/auth-store.ts'
import type { Store } from '../ports/store.ts'

/** What authentication is made of. */
export interface AuthDependencies {
  readonly settings: AuthSettings
  /** Null when the store is switched off. */
  readonly store: Store | null
  readonly workspace: () => Promise<Workspace>
  /** Told of failures of ours in what nobody waits for. */
  readonly onFailure: (error: unknown) => void
}

/** What the store keeps of who may ask and what they did. */
export interface AuthStores {
  readonly keys: KeyStore
  readonly audit: AuditStore
}

/** Opens what the store keeps, once. AppError `unsupported_by_connector` where it is switched off. */
export function openAuthStores({ store, workspace }: Pick<AuthDependencies, 'store' | 'workspace'>): () => Promise<AuthStores> {
  let known: AuthStores | undefined
  return async () => {
    if (known !== undefined) return known
    if (store?.enabled !== true || store.inWorkspace === undefined) {
      const detail = 'API keys and the audit log need the side store, which is switched off (store.url is none).'
      throw new AppError('unsupported_by_connector', detail, { context: { missing: ['store'] } })
    }
    const { keys, audit } = store.inWorkspace(await workspace())
    known = { keys, audit }
    return known
  }
}

/** An instant of the machine's clock: credentials expire also where `clock.now` stands still. */
export function instantNow(): string {
  return new Date().toISOString()
}
