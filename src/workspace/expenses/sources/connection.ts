import { createHash, randomBytes } from 'node:crypto'
import { AppError, errorFromIssues } from '../../../core/errors.ts'
import { clipped } from '../../../core/text.ts'
import type { Connection, Consent, Secrets } from '../../../ports/accounting.ts'
import type { StoredSource } from '../../../ports/source-store.ts'
import { type Connectors, configured, replaceSecrets } from './connectors.ts'
import { instantIn, type SourceStores } from './deps.ts'

/** Id of a source whose company is not known yet. */
export function pendingIdOf(type: string): string {
  return `${type}-pending`
}

/**
 * Stores a source that a platform has connected. Creates the source, or connects an existing source again. The status becomes
 * `connected` only after its secrets are stored. The first new source of a type replaces the pending source that was added
 * without a company.
 */
export async function saveConnection(
  stores: SourceStores,
  connectors: Connectors,
  type: string,
  { source_id: id, name, config, secrets }: Connection & { readonly secrets: Secrets | null },
): Promise<StoredSource> {
  const known = await stores.sources.get(id)
  const status = 'needs_reconnect' as const
  const pending = known === undefined && secrets !== null ? await stores.sources.get(pendingIdOf(type)) : undefined
  const given = pending === undefined || pending.name === type ? name : pending.name
  const made = { id, type, name: given, config, status, created_at: instantIn(0), last_synced_at: null, cursor: null }
  if (known === undefined) await stores.sources.create(made)
  if (pending !== undefined) await stores.sources.remove(pending.id)
  if (secrets === null) return known ?? made
  await replaceSecrets(stores, id, secrets)
  connectors.forget(id)
  return (await stores.sources.update(id, { config, status: 'connected' })) ?? made
}

/**
 * Ends a connection here, and also on the platform if it can be reached. Records that were read remain and still count. True if
 * the platform has revoked the connection.
 */
export async function endConnection(stores: SourceStores, connectors: Connectors, source: StoredSource): Promise<boolean> {
  const revoked = await revoke(stores, connectors, source)
  await replaceSecrets(stores, source.id, null)
  connectors.forget(source.id)
  await stores.sources.update(source.id, { status: 'disconnected' })
  return revoked
}

async function revoke(stores: SourceStores, connectors: Connectors, source: StoredSource): Promise<boolean> {
  if ((await stores.sources.secrets(source.id)) === null) return true
  try {
    await connectors.withConnector(stores, source, (connector) => connector.revoke())
    return true
  } catch {
    // The connection must also end if the platform is down or no longer accepts the tokens.
    return false
  }
}

/** Time limit for the user's consent. */
const CONSENT_MS = 600_000
const MOST_QUOTED = 100

/** A consent that begins. The browser is sent to the address and must bring back the cookie. */
export interface BegunConsent {
  readonly authorize_url: string
  readonly browser: string
  /** Whether the browser may send the cookie over HTTPS only. */
  readonly isSecure: boolean
}

/**
 * Begins a consent for a platform. `browser` is the cookie that this browser got at an earlier consent. AppError `not_found`, or
 * `unsupported_by_connector` if the platform or the key that seals its tokens is not configured.
 */
export async function beginConsent(
  stores: SourceStores,
  connectors: Connectors,
  type: string,
  browser: string | undefined,
): Promise<BegunConsent> {
  const consent = consentOf(connectors, type)
  // Fails before the redirect if there is no key that seals tokens.
  await stores.secrets.seal({}, 'consent')
  const state = secret()
  const bound = browser !== undefined && /^[\w-]{43}$/.test(browser) ? browser : secret()
  const authorize_url = await consent.authorizeUrl(state)
  const begun = { state: digest(state), browser: digest(bound), type, expires_at: instantIn(CONSENT_MS) }
  await stores.sources.saveConsent(begun, instantIn(0))
  return { authorize_url, browser: bound, isSecure: new URL(consent.redirectUri).protocol === 'https:' }
}

/**
 * Completes a consent with the parameters that the platform sent back. AppError `invalid_value` if this browser did not begin the
 * consent here, if the consent was already used, or if it took too long. `connector_unavailable` if the platform cannot be
 * reached.
 */
export async function endConsent(
  stores: SourceStores,
  connectors: Connectors,
  type: string,
  parameters: URLSearchParams,
  browser: string | undefined,
): Promise<StoredSource> {
  const consent = consentOf(connectors, type)
  const repeated = [...new Set(parameters.keys())].find((name) => parameters.getAll(name).length > 1)
  if (repeated !== undefined) throw refused(`"${clipped(repeated, MOST_QUOTED)}" is given more than once.`, repeated)
  const state = parameters.get('state') ?? ''
  if (state === '') throw refused('"state" is missing.')
  const begun = await stores.sources.takeConsent(digest(state), instantIn(0))
  if (begun?.type !== type || browser === undefined || begun.browser !== digest(browser)) {
    throw refused('"state" is unknown, already used, older than 10 minutes, or belongs to another browser. Connect again.')
  }
  return saveConnection(stores, connectors, type, await consent.complete(parameters))
}

function consentOf(connectors: Connectors, type: string): Consent {
  const platform = connectors.platformOf(type)
  if (platform === undefined) throw new AppError('not_found', 'No platform has this name.')
  const { consent } = configured(platform, type)
  if (consent !== undefined) return consent
  const detail = `You cannot connect ${type} from the browser. Add its sources with POST /api/sources.`
  throw new AppError('unsupported_by_connector', detail, { context: { connector: type, missing: [] } })
}

function refused(message: string, name = 'state'): AppError {
  const where = `query.${clipped(name, MOST_QUOTED)}`
  return errorFromIssues([{ code: 'invalid_value', where, message, did_you_mean: [] }])
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
