import { ERROR_CODES, type ErrorCode } from '../../../core/errors.ts'
import type { AccessTable } from '../access/access.ts'
import { type HeaderName, pickHeaders } from './headers.ts'
import type { Described, Document } from './shared-parts.ts'

const SCHEME = 'bearer'

const ABOUT =
  'An API key of this service (`pl_…`), or a JWT of the configured OpenID Connect issuer. Required if `auth.enabled` is set. ' +
  'Otherwise the API is open to everybody.'

/** Adds the required scope and the auth errors to every operation, from the table that the middleware checks. */
export function showAccess(document: Document, table: AccessTable): void {
  document.components['securitySchemes'] = { [SCHEME]: { type: 'http', scheme: 'bearer', description: ABOUT } }
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const needs = table.of(method.toUpperCase(), path)?.needs
      if (needs === undefined || needs === 'public') continue
      const isScope = needs !== 'signed_in'
      operation['security'] = [{ [SCHEME]: [] }]
      if (isScope) {
        // OpenAPI supports scopes for OAuth only, so they go into an extension.
        operation['x-required-scope'] = needs
        operation['description'] = `${operation['description']}\n\nRequired scope: \`${needs}\`.`
      }
      addRefusal(operation.responses, '401', UNAUTHORIZED)
      if (isScope) addRefusal(operation.responses, '403', FORBIDDEN)
      // While the store or the issuer is unreachable, no credential can be checked.
      addRefusal(operation.responses, '503', UNAVAILABLE)
    }
}

const UNAUTHORIZED = refusal('unauthorized', ['x-request-id', 'www-authenticate'])
const FORBIDDEN = refusal('forbidden', ['x-request-id'])
const UNAVAILABLE = refusal('connector_unavailable', ['x-request-id', 'retry-after'])

/** Adds an error code to the codes that the operation lists for the status. */
function addRefusal(responses: Record<string, Described>, status: string, added: Described): void {
  const known = responses[status]
  const text = String(added['description'])
  // A copy: sharePartsOf replaces equal parts later.
  if (known === undefined) responses[status] = structuredClone(added)
  else if (!String(known['description']).includes(text)) known['description'] = `${known['description']} ${text}`
}

function refusal(code: ErrorCode, headers: readonly HeaderName[]): Described {
  return {
    description: `\`${code}\`: ${ERROR_CODES[code].title}.`,
    headers: pickHeaders(...headers),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}
