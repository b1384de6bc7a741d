import { AppError } from '../../../core/errors.ts'
import { type AccountingPlatform, type ExpenseConnector, isReconnectNeeded } from '../../../ports/accounting.ts'
import type { StoredSource } from '../../../ports/source-store.ts'
import { sourceAccess } from './access.ts'
import type { Kept } from './deps.ts'

/** The connectors of the sources. Each source has one in a process, as it counts what its platform allows. */
export interface Connectors {
  /** The configured platforms. */
  readonly types: readonly string[]
  platformOf(type: string): AccountingPlatform | undefined
  /**
   * Runs work on a source's connector. When the platform wants a new consent the source becomes `needs_reconnect`. AppError
   * `unsupported_by_connector` where the platform is not configured here.
   */
  withConnector<T>(kept: Kept, source: StoredSource, work: (connector: ExpenseConnector) => Promise<T>): Promise<T>
  /** Forgets the connector of a source, whose connection is another one now. */
  forget(id: string): void
}

/** Connectors of these platforms; none is made before it is needed. */
export function createConnectors(platforms: readonly AccountingPlatform[]): Connectors {
  const made = new Map<string, { readonly config: string; readonly connector: ExpenseConnector }>()
  const platformOf = (type: string) => platforms.find((platform) => platform.type === type)

  const connectorOf = (kept: Kept, source: StoredSource): ExpenseConnector => {
    const platform = configured(platformOf(source.type), source.type)
    const config = JSON.stringify(source.config)
    const known = made.get(source.id)
    if (known?.config === config) return known.connector
    const connector = platform.connect(sourceAccess(kept, source))
    made.set(source.id, { config, connector })
    return connector
  }
  return {
    types: platforms.filter(({ isConfigured }) => isConfigured).map(({ type }) => type),
    platformOf,
    async withConnector(kept, source, work) {
      try {
        return await work(connectorOf(kept, source))
      } catch (error) {
        if (isReconnectNeeded(error)) await markForReconnection(kept, source.id)
        throw error
      }
    },
    forget: (id) => void made.delete(id),
  }
}

/** A platform that can be used. AppError `unsupported_by_connector` that names what is missing. */
export function configured(platform: AccountingPlatform | undefined, type: string): AccountingPlatform {
  if (platform?.isConfigured === true) return platform
  const missing = platform?.missing ?? []
  const remedy = missing.length === 0 ? 'there is no such platform' : `set ${missing.join(', ')}`
  throw new AppError('unsupported_by_connector', `${type} is not configured: ${remedy}.`, {
    context: { connector: type, missing },
  })
}

// One that was disconnected on purpose stays so.
async function markForReconnection({ sources }: Kept, id: string): Promise<void> {
  const source = await sources.get(id)
  if (source?.status === 'connected') await sources.update(id, { status: 'needs_reconnect' })
}
