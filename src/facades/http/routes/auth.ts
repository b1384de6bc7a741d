import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { SCOPE } from '../../../workspace/records/api-key.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const config = z
  .object({
    auth_enabled: z.boolean().describe('Whether requests need a credential'),
    oidc_issuer: z.string().nullable().describe('OpenID Connect issuer to sign in at. Null: sign in with an API key'),
    oidc_client_id: z.string().nullable().describe('Client id for the issuer'),
  })
  .meta({ id: 'SignInConfig', description: 'The settings that a client needs before sign-in' })

const principal = z
  .object({
    id: z.string().describe("Id of the user. The user's dashboards and charts are stored under it"),
    email: z.string().nullable(),
    name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    kind: z.enum(['anonymous', 'api_key', 'oidc']),
    scopes: z.array(SCOPE).readonly().describe('Granted scopes, including nested ones'),
  })
  .meta({ id: 'Principal', description: 'The caller of the API' })

const common = { tags: ['Authentication'] }

const settings = createRoute({
  ...common,
  method: 'get',
  path: '/auth/config',
  operationId: 'auth_config',
  summary: 'Get the sign-in settings',
  description: 'Public: no credential needed.',
  responses: { 200: jsonResponse('The settings', config), ...errorResponses(['internal']) },
})

const me = createRoute({
  ...common,
  method: 'get',
  path: '/auth/me',
  operationId: 'auth_me',
  summary: 'Get the current principal',
  description: 'If authentication is off, everybody is `anonymous` with all scopes.',
  responses: { 200: jsonResponse('The principal of the credential', principal), ...errorResponses(['internal']) },
})

/** The sign-in settings, and the current principal. */
export function registerAuth(app: App, { auth }: Pick<Engine, 'auth'>): void {
  serve(app, settings, (context) => context.json(auth.config, 200))
  serve(app, me, (context) => {
    const { id, kind, scopes, email = null, name = null, avatar_url = null } = context.get('principal')
    return context.json({ id, email, name, avatar_url, kind, scopes }, 200)
  })
}
