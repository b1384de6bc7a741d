import type { Connection, Secrets } from '../../../ports/accounting.ts'
import type { StoredSource } from '../../../ports/source-store.ts'
import { replaceSecrets } from './access.ts'
import type { Connectors } from './connectors.ts'
import { instantIn, type Kept } from './deps.ts'

/** Id of the source of a platform that was added before anybody said whose books it is. */
export function pendingIdOf(type: string): string {
  return `${type}-pending`
}

/**
 * A source that a platform has connected: made, or connected anew with the books that it has. It is `connected` only once its secrets are kept.
 * One that was added without a company becomes the first one that is made after it.
 */
export async function keepConnection(
  kept: Kept,
  connectors: Connectors,
  type: string,
  { source_id: id, name, config, secrets }: Connection & { readonly secrets: Secrets | null },
): Promise<StoredSource> {
  const known = await kept.sources.get(id)
  const status = 'needs_reconnect' as const
  const pending = known === undefined && secrets !== null ? await kept.sources.get(pendingIdOf(type)) : undefined
  const given = pending === undefined || pending.name === type ? name : pending.name
  const made = { id, type, name: given, config, status, created_at: instantIn(0), last_synced_at: null, cursor: null }
  if (known === undefined) await kept.sources.create(made)
  if (pending !== undefined) await kept.sources.remove(pending.id)
  if (secrets === null) return known ?? made
  await replaceSecrets(kept, id, secrets)
  connectors.forget(id)
  return (await kept.sources.update(id, { config, status: 'connected' })) ?? made
}

/**
 * Ends a connection: on the platform's side where that can be reached, and here in any case. What was read from it stays and counts.
 * Says whether the platform knows.
 */
export async function endConnection(kept: Kept, connectors: Connectors, source: StoredSource): Promise<boolean> {
  const revoked = await revoke(kept, connectors, source)
  await replaceSecrets(kept, source.id, null)
  connectors.forget(source.id)
  await kept.sources.update(source.id, { status: 'disconnected' })
  return revoked
}

async function revoke(kept: Kept, connectors: Connectors, source: StoredSource): Promise<boolean> {
  if ((await kept.sources.secrets(source.id)) === null) return true
  try {
    await connectors.withConnector(kept, source, (connector) => connector.revoke())
    return true
  } catch {
    // A platform that is down, or tokens that it takes no longer, must not keep anybody from ending a connection.
    return false
  }
}
