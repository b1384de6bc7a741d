import { createRoute, z } from '@hono/zod-openapi'
import { DOCS_ASSETS, DOCS_SCRIPTS, docsAssets, redocPage, swaggerPage } from '../docs-pages.ts'
import { pathNotFound } from '../errors.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonResponse, textResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

// No scripts, styles, fonts or images of other hosts. `blob:` is for the search worker of Redoc.
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
].join('; ')

const REDOC = 'redoc.standalone.js'

const ASSET_TYPES = ['text/javascript', 'text/css', 'image/png']

const common = { tags: ['Documentation'] }
const internal = errorResponses(['internal'])
const page = textResponse('HTML page', 'text/html', z.string())

const swagger = createRoute({
  ...common,
  method: 'get',
  path: '/docs',
  operationId: 'docs',
  summary: 'Interactive documentation',
  description: 'Swagger UI for this document. You can try out every operation.',
  responses: { 200: page, ...internal },
})

const redoc = createRoute({
  ...common,
  method: 'get',
  path: '/redoc',
  operationId: 'redoc',
  summary: 'API reference on one page',
  description: 'Redoc for this document.',
  responses: { 200: page, ...internal },
})

const assets = createRoute({
  ...common,
  method: 'get',
  path: '/docs/assets/{file}',
  operationId: 'docs_asset',
  summary: 'Asset of the documentation pages',
  description: 'Scripts, styles and images. The pages load nothing from other hosts.',
  request: { params: z.object({ file: z.string().describe('File name') }) },
  responses: {
    200: {
      ...textResponse('The file', 'text/javascript', z.string()),
      content: Object.fromEntries(ASSET_TYPES.map((type) => [type, { schema: z.string() }])),
    },
    ...errorResponses(['not_found', 'internal']),
  },
})

const description = createRoute({
  ...common,
  method: 'get',
  path: '/openapi.json',
  operationId: 'openapi',
  summary: 'Get the OpenAPI document',
  description: 'This document. Its example dates are in the last full month.',
  responses: { 200: jsonResponse('OpenAPI 3.1 document', z.looseObject({ openapi: z.string() })), ...internal },
})

/** The two documentation pages with their assets, and the OpenAPI document. `base` is `server.base_path`. */
export function registerDocs(app: App, document: () => { readonly openapi: string }, base: string): void {
  serve(app, swagger, () => html(swaggerPage(base)))
  serve(app, redoc, () => html(redocPage(base)))
  serve(app, assets, async (context) => {
    const file = context.req.param('file')
    const script = Object.hasOwn(DOCS_SCRIPTS, file) ? DOCS_SCRIPTS[file] : undefined
    if (script !== undefined) return asset(script(base), 'text/javascript; charset=utf-8')
    const type = Object.hasOwn(DOCS_ASSETS, file) ? DOCS_ASSETS[file]?.type : undefined
    const text = (await docsAssets()).get(file)
    if (type === undefined || text === undefined) throw pathNotFound()
    return asset(file === REDOC ? ofThisService(text, base) : text, type)
  })
  serve(app, description, (context) => context.json(document(), 200))
}

/** Redoc loads a logo from its vendor, although the page does not show it. This replaces the logo's URL with a local URL. */
function ofThisService(bundle: Uint8Array, base: string): string {
  return new TextDecoder()
    .decode(bundle)
    .replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w/.-]+/g, `${base}/docs/assets/favicon-32x32.png`)
}

function html(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY } })
}

function asset(body: string | Uint8Array<ArrayBuffer>, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } })
}
