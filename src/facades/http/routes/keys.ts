import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { API_KEY, NEW_API_KEY } from '../../../workspace/records/api-key.ts'
import { requestOriginOf } from '../access/guard.ts'
import { readJson } from '../body.ts'
import type { RequestContext } from '../environment.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const made = API_KEY.extend({ key: z.string().describe('The secret key. It is returned only once, here') }).meta({
  id: 'NewApiKey',
})

const common = { tags: ['Authentication'] }

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/keys',
  operationId: 'keys',
  summary: 'List API keys',
  description:
    'All keys of this workspace, newest first, including revoked ones. Services of other workspaces do not accept them.',
  responses: { 200: jsonResponse('The keys', z.array(API_KEY).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  method: 'post',
  path: '/api/keys',
  operationId: 'create_key',
  summary: 'Create an API key',
  description: 'Only this response contains the secret key. To create the first key, run `plumbline keys create`.',
  request: { body: jsonBody(NEW_API_KEY.shown) },
  responses: {
    201: jsonResponse('The key', made),
    ...errorResponses(['conflict', ...WRITE_CODES]),
  },
})

const revocation = createRoute({
  ...common,
  method: 'delete',
  path: '/api/keys/{id}',
  operationId: 'revoke_key',
  summary: 'Revoke an API key',
  description: 'All services of this workspace refuse the key from the next request on.',
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: jsonResponse('Revoked', z.object({ status: z.literal('revoked') }).meta({ id: 'KeyRevoked' })),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

/** The API keys. */
export function registerKeys(app: App, { auth: { keys } }: Pick<Engine, 'auth'>): void {
  serve(app, all, async (context) => context.json(await keys.list(), 200))
  serve(app, creation, async (context) =>
    context.json(await keys.create(await readJson(context), doerOf(context, 'POST /api/keys')), 201),
  )
  serve(app, revocation, async (context) => {
    await keys.revoke(context.req.param('id'), doerOf(context, 'DELETE /api/keys/{id}'))
    return context.json({ status: 'revoked' as const }, 200)
  })
}

function doerOf(context: RequestContext, path: string) {
  const { id, kind, name, email } = context.get('principal')
  return { actor: { id, kind, name: name ?? email ?? null }, request: requestOriginOf(context, path) }
}
