import { createRoute, z } from '@hono/zod-openapi'
import type { Engine, NewLink } from '../../../engine/engine.ts'
import { LINK, NEW_LINK } from '../../../workspace/records/link.ts'
import { linkNumbers } from '../../presentation/briefing/link-numbers.ts'
import { requestOriginOf } from '../access/guard.ts'
import { readJson } from '../body.ts'
import type { RequestContext } from '../environment.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { viewerOf } from '../viewer.ts'

const made = LINK.extend({
  token: z.string().describe('The secret token. It is returned only once, here'),
  path: z.string().describe('Address of the link on this service, with the token. A feed has two endings: `.csv`, and `.json`'),
}).meta({ id: 'NewLink' })

const common = { tags: ['Links'] }

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/links',
  operationId: 'links',
  summary: 'List links',
  description: 'Your links, newest first, including expired and revoked ones. Administrators see all links of the workspace.',
  responses: { 200: jsonResponse('The links', z.array(LINK).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  method: 'post',
  path: '/api/links',
  operationId: 'create_link',
  summary: 'Create a link',
  description:
    'A link shows one dashboard, or the rows of one chart, to everybody who has it. Only this response contains the token. It needs a service with sign-in: otherwise 409 `conflict`.',
  request: { body: jsonBody(NEW_LINK.shown) },
  responses: { 201: jsonResponse('The link', made), ...errorResponses(['not_found', 'conflict', ...WRITE_CODES]) },
})

const revocation = createRoute({
  ...common,
  method: 'delete',
  path: '/api/links/{id}',
  operationId: 'revoke_link',
  summary: 'Revoke a link',
  description: 'It opens nothing from the next request on. Administrators revoke the links of others too.',
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: jsonResponse('Revoked', z.object({ status: z.literal('revoked') }).meta({ id: 'LinkRevoked' })),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

/** The links of the workspace. `base` is `server.base_path`, and `today` the day of the clock. */
export function registerLinks(
  app: App,
  engine: Engine,
  { base, today }: { readonly base: string; readonly today: () => string },
): void {
  const { links } = engine
  serve(app, all, async (context) => context.json(await links.list(viewerOf(context)), 200))
  serve(app, creation, async (context) => {
    const body = await readJson(context)
    const by = doerOf(context, 'POST /api/links')
    const link = await links.create(body, by, viewerOf(context), linkNumbers(engine, today()))
    return context.json({ ...link, path: base + pathOf(link) }, 201)
  })
  serve(app, revocation, async (context) => {
    await links.revoke(context.req.param('id'), doerOf(context, 'DELETE /api/links/{id}'), viewerOf(context))
    return context.json({ status: 'revoked' as const }, 200)
  })
}

/** The path of a link. The token of a page is in the fragment, which no browser sends. */
function pathOf({ kind, token }: NewLink): string {
  return kind === 'page' ? `/shared#${token}` : `/feed/${token}.csv`
}

function doerOf(context: RequestContext, path: string) {
  const { id, kind, name, email } = context.get('principal')
  return { actor: { id, kind, name: name ?? email ?? null }, request: requestOriginOf(context, path) }
}
