import { AppError, type Consent } from '../../../src/connector-kit/index.ts'
import { connectionTo, isRealm } from '../realm.ts'
import type { Credentials } from '../settings.ts'
import type { Discover } from './authorization-server.ts'
import type { Grants } from './grants.ts'
import type { TokenSet } from './token-set.ts'

const SCOPE = 'com.intuit.quickbooks.accounting'

/** Sends a request for a company with new tokens. AppError if the tokens give no access to the company. */
type TryAccess = (realmId: string, tokens: TokenSet) => Promise<void>

/** The consent of a company's administrator in the browser (OAuth 2.0 authorisation code). */
export function createConsent(
  discover: Discover,
  credentials: Credentials,
  grants: Grants,
  tryAccess: TryAccess,
  environment: string,
): Consent {
  return {
    redirectUri: credentials.redirectUri,
    async authorizeUrl(state) {
      const { authorization_endpoint: endpoint } = await discover()
      const address = new URL(endpoint ?? '')
      address.searchParams.set('client_id', credentials.clientId)
      address.searchParams.set('response_type', 'code')
      address.searchParams.set('scope', SCOPE)
      address.searchParams.set('redirect_uri', credentials.redirectUri)
      address.searchParams.set('state', state)
      return address.href
    },
    async complete(parameters) {
      const realmId = parameters.get('realmId')
      if (parameters.get('error') === null) requireAnswer(parameters, realmId)
      const secrets = await grants.exchange(parameters)
      // The company is part of an address that anybody can change, and Intuit does not sign it. Only an answer from Intuit proves the company.
      await tryAccess(realmId ?? '', secrets)
      return { ...connectionTo(realmId ?? '', environment), secrets: { ...secrets } }
    },
  }
}

function requireAnswer(parameters: URLSearchParams, realmId: string | null): void {
  const missing = ['code', 'realmId'].filter((name) => (parameters.get(name) ?? '') === '')
  if (missing.length > 0) throw new AppError('invalid_value', `Intuit's answer lacks ${missing.join(' and ')}.`)
  if (!isRealm(realmId)) throw new AppError('invalid_value', 'realmId must be the number of a company.')
}
