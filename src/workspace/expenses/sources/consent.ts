import { createHash, randomBytes } from 'node:crypto'
import { AppError, errorFromIssues } from '../../../core/errors.ts'
import { clipped } from '../../../core/text.ts'
import type { Consent } from '../../../ports/accounting.ts'
import type { StoredSource } from '../../../ports/source-store.ts'
import { keepConnection } from './connection.ts'
import { type Connectors, configured } from './connectors.ts'
import { instantIn, type Kept } from './deps.ts'

/** How long a person may take. */
export const CONSENT_MS = 600_000
const MOST_QUOTED = 100

/** A consent that begins: where the browser goes, and what it has to bring back as a cookie. */
export interface BegunConsent {
  readonly authorize_url: string
  readonly browser: string
  /** Whether the browser may send the cookie over HTTPS only. */
  readonly isSecure: boolean
}

/**
 * Begins a consent for a platform; `browser` is what the browser has from another one that it began. AppError `not_found`,
 * `unsupported_by_connector` where the platform or the key for its tokens is not configured.
 */
export async function beginConsent(
  kept: Kept,
  connectors: Connectors,
  type: string,
  browser: string | undefined,
): Promise<BegunConsent> {
  const consent = consentOf(connectors, type)
  // Without a key there is no use in sending anybody away.
  await kept.secrets.seal({}, 'consent')
  const state = secret()
  const bound = browser !== undefined && /^[\w-]{43}$/.test(browser) ? browser : secret()
  const authorize_url = await consent.authorizeUrl(state)
  const begun = { state: digest(state), browser: digest(bound), type, expires_at: instantIn(CONSENT_MS) }
  await kept.sources.keepConsent(begun, instantIn(0))
  return { authorize_url, browser: bound, isSecure: new URL(consent.redirectUri).protocol === 'https:' }
}

/**
 * Ends a consent with what the platform sent the browser back with. AppError `invalid_value` when it was not begun here by this browser, was
 * used already, or took too long; `connector_unavailable` when the platform cannot be reached.
 */
export async function endConsent(
  kept: Kept,
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
  const begun = await kept.sources.takeConsent(digest(state), instantIn(0))
  if (begun?.type !== type || browser === undefined || begun.browser !== digest(browser)) {
    throw refused(
      '"state" is unknown, was used already, is older than 10 minutes, or was given to another browser: connect again.',
    )
  }
  return keepConnection(kept, connectors, type, await consent.complete(parameters))
}

function consentOf(connectors: Connectors, type: string): Consent {
  const platform = connectors.platformOf(type)
  if (platform === undefined) throw new AppError('not_found', 'There is no platform of this name.')
  const { consent } = configured(platform, type)
  if (consent !== undefined) return consent
  const detail = `${type} has no consent in the browser; its sources are added with POST /api/sources.`
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
