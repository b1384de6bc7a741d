import { ERROR_CODES, type ErrorCode } from '../../../core/errors.ts'
import type { AccessTable } from '../access/access.ts'
import { type HeaderName, pickHeaders } from './headers.ts'
import type { Described, Document } from './shared-parts.ts'

const SCHEME = 'bearer'

const ABOUT =
  'An API key of this service (`pl_…`), or a JWT of the configured OpenID Connect issuer. Needed where `auth.enabled` is set; ' +
  'otherwise everybody is let in.'

/** Says of every operation what it needs, by the table that requests are judged by. */
export function showAccess(document: Document, table: AccessTable): void {
  document.components['securitySchemes'] = { [SCHEME]: { type: 'http', scheme: 'bearer', description: ABOUT } }
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const needs = table.of(method.toUpperCase(), path)?.needs
      if (needs === undefined || needs === 'public') continue
      const isScope = needs !== 'signed_in'
      operation['security'] = [{ [SCHEME]: [] }]
      if (isScope) {
        // Only OAuth has scopes in the document itself.
        operation['x-required-scope'] = needs
        operation['description'] = `${operation['description']}\n\nNeeds the scope \`${needs}\`.`
      }
      addRefusal(operation.responses, '401', UNAUTHORIZED)
      if (isScope) addRefusal(operation.responses, '403', FORBIDDEN)
      // Nobody is let in while nobody can tell who it is.
      addRefusal(operation.responses, '503', UNAVAILABLE)
    }
}

const UNAUTHORIZED = refusal('unauthorized', ['x-request-id', 'www-authenticate'])
const FORBIDDEN = refusal('forbidden', ['x-request-id'])
const UNAVAILABLE = refusal('connector_unavailable', ['x-request-id', 'retry-after'])

/** Beside what the operation says of the status already. */
function addRefusal(responses: Record<string, Described>, status: string, added: Described): void {
  const known = responses[status]
  const text = String(added['description'])
  // A copy: what operations share is put in its place afterwards.
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
