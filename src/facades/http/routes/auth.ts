import { createRoute, z } from '@hono/zod-openapi'
import { SCOPES } from '../../../core/auth.ts'
import type { Engine } from '../../../engine/engine.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const config = z
  .object({
    auth_enabled: z.boolean().describe('Whether requests need a credential'),
    oidc_issuer: z.string().nullable().describe('OpenID Connect issuer that people sign in at; null: with an API key'),
    oidc_client_id: z.string().nullable().describe('Client id with which they do so'),
  })
  .meta({ id: 'SignInConfig', description: 'What a page needs to know before anybody has signed in' })

/** A scope as the document names it. */
export const SCOPE = z
  .enum(SCOPES)
  .meta({ id: 'Scope', description: 'Each includes those before it; `read:aggregate` sees numbers and no customers' })

const principal = z
  .object({
    id: z.string().describe('What records of this user are kept under'),
    email: z.string().nullable(),
    name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    kind: z.enum(['anonymous', 'api_key', 'oidc']),
    scopes: z.array(SCOPE).readonly().describe('What it may, scopes that are included too'),
  })
  .meta({ id: 'Principal', description: 'Who asks' })

const common = { tags: ['Authentication'] }

const settings = createRoute({
  ...common,
  method: 'get',
  path: '/auth/config',
  operationId: 'auth_config',
  summary: 'How to sign in',
  description: 'Open to everybody.',
  responses: { 200: jsonResponse('What a page needs to know', config), ...errorResponses(['internal']) },
})

const me = createRoute({
  ...common,
  method: 'get',
  path: '/auth/me',
  operationId: 'auth_me',
  summary: 'Who asks',
  description: 'Where authentication is off everybody is `anonymous` and may do everything.',
  responses: { 200: jsonResponse('Whoever the credential stands for', principal), ...errorResponses(['internal']) },
})

/** How to sign in, and who has. */
export function registerAuth(app: App, { auth }: Pick<Engine, 'auth'>): void {
  serve(app, settings, (context) => context.json(auth.config, 200))
  serve(app, me, (context) => {
    const { id, kind, scopes, email = null, name = null, avatar_url = null } = context.get('principal')
    return context.json({ id, email, name, avatar_url, kind, scopes }, 200)
  })
}
