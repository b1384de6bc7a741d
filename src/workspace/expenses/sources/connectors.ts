import { AppError } from '../../../core/errors.ts'
import {
  type AccountingPlatform,
  type ExpenseConnector,
  isReconnectNeeded,
  reconnectNeeded,
  type Secrets,
  type SourceAccess,
} from '../../../ports/accounting.ts'
import type { SealedText, StoredSource } from '../../../ports/source-store.ts'
import type { SourceStores } from './deps.ts'

/**
 * The connectors of the sources. A process keeps one connector for each source, because the connector counts calls against the
 * platform's limits.
 */
export interface Connectors {
  /** The configured platforms. */
  readonly types: readonly string[]
  platformOf(type: string): AccountingPlatform | undefined
  /**
   * Runs `work` on a source's connector. If the platform requires a new consent, the source becomes `needs_reconnect`. AppError
   * `unsupported_by_connector` if the platform is not configured here.
   */
  withConnector<T>(stores: SourceStores, source: StoredSource, work: (connector: ExpenseConnector) => Promise<T>): Promise<T>
  /** Forgets the connector of a source after its connection has changed. */
  forget(id: string): void
}

/** Connectors of these platforms, created when they are first needed. */
export function createConnectors(platforms: readonly AccountingPlatform[]): Connectors {
  const made = new Map<string, { readonly config: string; readonly connector: ExpenseConnector }>()
  const platformOf = (type: string) => platforms.find((platform) => platform.type === type)

  const connectorOf = (stores: SourceStores, source: StoredSource): ExpenseConnector => {
    const platform = configured(platformOf(source.type), source.type)
    const config = JSON.stringify(source.config)
    const known = made.get(source.id)
    if (known?.config === config) return known.connector
    const connector = platform.connect(sourceAccess(stores, source))
    made.set(source.id, { config, connector })
    return connector
  }
  return {
    types: platforms.filter(({ isConfigured }) => isConfigured).map(({ type }) => type),
    platformOf,
    async withConnector(stores, source, work) {
      try {
        return await work(connectorOf(stores, source))
      } catch (error) {
        if (isReconnectNeeded(error)) await markForReconnection(stores, source.id)
        throw error
      }
    },
    forget: (id) => void made.delete(id),
  }
}

/** The platform, if it is configured. AppError `unsupported_by_connector` that names the missing keys. */
export function configured(platform: AccountingPlatform | undefined, type: string): AccountingPlatform {
  if (platform?.isConfigured === true) return platform
  const missing = platform?.missing ?? []
  const remedy = missing.length === 0 ? 'there is no such platform' : `set ${missing.join(', ')}`
  throw new AppError('unsupported_by_connector', `${type} is not configured: ${remedy}.`, {
    context: { connector: type, missing },
  })
}

// A source that was disconnected on purpose stays disconnected.
async function markForReconnection({ sources }: SourceStores, id: string): Promise<void> {
  const source = await sources.get(id)
  if (source?.status === 'connected') await sources.update(id, { status: 'needs_reconnect' })
}

/** The stores that hold tokens. */
export type Vault = Pick<SourceStores, 'workspace' | 'sources' | 'secrets'>

/** A source in the form that its connector needs. Secrets are decrypted on request and never stored in clear. */
export function sourceAccess(stores: Vault, { id, config }: Pick<StoredSource, 'id' | 'config'>): SourceAccess {
  const unsealed = async (sealed: SealedText | null): Promise<Secrets> => {
    if (sealed === null) throw reconnectNeeded(`The source "${id}" is not connected. Connect it.`)
    const secrets = await stores.secrets.open(sealed, purposeOf(stores, id))
    if (secrets !== undefined) return secrets
    throw reconnectNeeded(
      `The tokens of the source "${id}" were sealed with another key. Restore the key, or connect the source again.`,
    )
  }
  return {
    config,
    secrets: async () => unsealed(await stores.sources.secrets(id)),
    async renew(work) {
      const renewed = await stores.sources.exchangeSecrets(id, async (present) =>
        stores.secrets.seal(await work(await unsealed(present)), purposeOf(stores, id)),
      )
      return unsealed(renewed)
    },
  }
}

/** Replaces the secrets of a source. Null removes them. */
export async function replaceSecrets(stores: Vault, id: string, secrets: Secrets | null): Promise<void> {
  const sealed = secrets === null ? null : await stores.secrets.seal(secrets, purposeOf(stores, id))
  await stores.sources.exchangeSecrets(id, async () => sealed)
}

function purposeOf({ workspace }: Vault, id: string): string {
  return JSON.stringify(['source', workspace, id])
}
