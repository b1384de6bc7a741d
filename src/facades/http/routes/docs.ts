import { createRoute, z } from '@hono/zod-openapi'
import { DOCS_ASSETS, readDocsAsset, redocPage, startSwagger, swaggerPage } from '../docs-pages.ts'
import { pathNotFound } from '../errors.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonResponse, textResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

// Nothing from outside: no scripts, styles, fonts or images of other hosts; `blob:` is the search worker of Redoc.
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
  description: 'Swagger UI over this document; every operation can be tried out.',
  responses: { 200: page, ...internal },
})

const redoc = createRoute({
  ...common,
  method: 'get',
  path: '/redoc',
  operationId: 'redoc',
  summary: 'The same as one page',
  description: 'Redoc over this document.',
  responses: { 200: page, ...internal },
})

const assets = createRoute({
  ...common,
  method: 'get',
  path: '/docs/assets/{file}',
  operationId: 'docs_asset',
  summary: 'Script, style or image of the documentation pages',
  description: 'The pages take nothing from other hosts.',
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
  summary: 'This document',
  description: 'Examples of dates are days of the last full month.',
  responses: { 200: jsonResponse('OpenAPI 3.1 document', z.looseObject({ openapi: z.string() })), ...internal },
})

/** The two documentation pages with their assets, and the document that both show; `base` is `server.base_path`. */
export function registerDocs(app: App, document: () => { readonly openapi: string }, base: string): void {
  serve(app, swagger, () => html(swaggerPage(base)))
  serve(app, redoc, () => html(redocPage(base)))
  serve(app, assets, async (context) => {
    const file = context.req.param('file')
    if (file === 'start-swagger.js') return asset(startSwagger(base), 'text/javascript; charset=utf-8')
    const found = Object.hasOwn(DOCS_ASSETS, file) ? DOCS_ASSETS[file] : undefined
    if (found === undefined) throw pathNotFound()
    const text = await readDocsAsset(file, found.module)
    return asset(file === REDOC ? ofThisService(text, base) : text, found.type)
  })
  serve(app, description, (context) => context.json(document(), 200))
}

/** Redoc asks its makers for a logo that the page does not show. */
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
