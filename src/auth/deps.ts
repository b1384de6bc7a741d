import type { AuthSettings } from '../core/auth.ts'
import { AppError } from '../core/errors.ts'
import type { Workspace } from '../core/workspace.ts'
import type { AuditStore, KeyStore } from '../ports/auth-store.ts'
import type { Store } from '../ports/store.ts'

/** Dependencies of authentication. */
export interface AuthDependencies {
  readonly settings: AuthSettings
  /** Null if the store is switched off. */
  readonly store: Store | null
  readonly workspace: () => Promise<Workspace>
  /** Called with internal errors of background work. */
  readonly onFailure: (error: unknown) => void
}

/** The stores of API keys and of the audit log. */
export interface AuthStores {
  readonly keys: KeyStore
  readonly audit: AuditStore
}

/** Opens the stores once. AppError `unsupported_by_connector` if the store is switched off. */
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

/** The current instant of the machine's clock. Credentials expire even if `clock.now` is fixed. */
export function instantNow(): string {
  return new Date().toISOString()
}
