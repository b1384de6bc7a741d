import { type AccountingPlatform, AppError, type SourceAccess } from '../../src/connector-kit/index.ts'
import { createClient } from './api/client.ts'
import { createTurns, type Turns } from './api/queue.ts'
import { REACH_DAYS } from './changes.ts'
import { companyReader, type ReadCompany } from './company.ts'
import { createConnector } from './connector.ts'
import { discovery } from './oauth/authorization-server.ts'
import { createConsent } from './oauth/consent.ts'
import { createGrants, type Grants } from './oauth/grants.ts'
import { type TokenSet, tokenSetOf } from './oauth/token-set.ts'
import { createTokens } from './oauth/tokens.ts'
import { INTUIT_PACING, type Pacing } from './pacing.ts'
import { registered } from './realm.ts'
import { addressesOf, credentialsOf, type QuickbooksSettings } from './settings.ts'
import { createWebhooks } from './webhooks.ts'

/** Longest wait of a browser while its consent is tried, milliseconds. */
const CONSENT_MS = 20_000

/** QuickBooks Online with the settings of a configuration. */
export function createPlatform(settings: QuickbooksSettings, pacing: Pacing = INTUIT_PACING): AccountingPlatform {
  const addresses = addressesOf(settings)
  const credentials = credentialsOf(settings)
  const shared = new Map<string, Shared>()
  const discover = discovery(addresses.discovery)
  const missing = 'missing' in credentials ? credentials.missing : []
  const grants = 'missing' in credentials ? unconfigured(missing) : createGrants(discover, credentials, pacing)

  /** Limits belong to a company, so all requests for it share them. */
  function sharedOf(realmId: string): Shared {
    const known = shared.get(realmId) ?? { turns: createTurns(pacing), readCompany: companyReader() }
    shared.set(realmId, known)
    return known
  }

  async function tryAccess(realmId: string, { access_token }: TokenSet): Promise<void> {
    const refused = () =>
      Promise.reject(new AppError('invalid_value', 'Intuit gave no access to the company that realmId names: connect again.'))
    const tokens = { access: async () => access_token, renewed: refused }
    const { turns } = sharedOf(realmId)
    const client = createClient({ apiUrl: addresses.api, realmId, tokens, turns, pacing })
    await companyReader()(client, AbortSignal.timeout(CONSENT_MS))
  }

  return {
    type: 'quickbooks',
    isConfigured: missing.length === 0,
    missing,
    ...('missing' in credentials
      ? {}
      : { consent: createConsent(discover, credentials, grants, tryAccess, settings.environment) }),
    register: (config) => registered(config, settings.environment),
    webhooks: createWebhooks(settings),
    syncMinutes: settings.sync_minutes,
    changesReachDays: REACH_DAYS,
    connect(source) {
      const realmId = realmOf(source)
      const { turns, readCompany } = sharedOf(realmId)
      const tokens = createTokens(source, grants)
      const client = createClient({ apiUrl: addresses.api, realmId, tokens, turns, pacing })
      return createConnector(client, readCompany, async () => grants.revoke(tokenSetOf(await source.secrets())))
    },
  }
}

/** The parts that all connections to one company share. */
interface Shared {
  readonly turns: Turns
  readonly readCompany: ReadCompany
}

/** Grants of a platform without credentials. Each one fails with the names of the missing settings. */
function unconfigured(missing: readonly string[]): Grants {
  const refuse = () =>
    Promise.reject(new AppError('connector_unavailable', `QuickBooks is not configured: ${missing.join(', ')} missing.`))
  return { exchange: refuse, refresh: refuse, revoke: refuse }
}

function realmOf({ config }: SourceAccess): string {
  const realmId = config['realm_id']
  if (typeof realmId === 'string' && realmId !== '') return realmId
  throw new AppError('connector_unavailable', 'The source names no QuickBooks company: connect it again.')
}
