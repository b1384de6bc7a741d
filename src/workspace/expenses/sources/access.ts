import { reconnectNeeded, type Secrets, type SourceAccess } from '../../../ports/accounting.ts'
import type { SealedText, StoredSource } from '../../../ports/source-store.ts'
import type { Kept } from './deps.ts'

/** Where tokens are. */
export type Vault = Pick<Kept, 'workspace' | 'sources' | 'secrets'>

/** A source as its connector sees it: its secrets are opened when they are asked for, and never kept in clear. */
export function sourceAccess(kept: Vault, { id, config }: Pick<StoredSource, 'id' | 'config'>): SourceAccess {
  const opened = async (sealed: SealedText | null): Promise<Secrets> => {
    if (sealed === null) throw reconnectNeeded(`The source "${id}" is not connected: connect it.`)
    const secrets = await kept.secrets.open(sealed, purposeOf(kept, id))
    if (secrets !== undefined) return secrets
    throw reconnectNeeded(`The tokens of the source "${id}" were sealed with another key: restore the key, or connect it again.`)
  }
  return {
    config,
    secrets: async () => opened(await kept.sources.secrets(id)),
    async renew(work) {
      const renewed = await kept.sources.exchangeSecrets(id, async (present) =>
        kept.secrets.seal(await work(await opened(present)), purposeOf(kept, id)),
      )
      return opened(renewed)
    },
  }
}

/** Keeps the secrets of a source in the place of those that it had; null removes them. */
export async function replaceSecrets(kept: Vault, id: string, secrets: Secrets | null): Promise<void> {
  const sealed = secrets === null ? null : await kept.secrets.seal(secrets, purposeOf(kept, id))
  await kept.sources.exchangeSecrets(id, async () => sealed)
}

function purposeOf({ workspace }: Vault, id: string): string {
  return JSON.stringify(['source', workspace, id])
}
