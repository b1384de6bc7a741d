import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { REDOC_PAGE, START_SWAGGER, SWAGGER_PAGE } from '../docs-pages.ts'
import type { Environment } from '../environment.ts'
import { pathNotFound } from '../errors.ts'

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

const resolveModule = createRequire(import.meta.url).resolve

const ASSETS: Readonly<Record<string, readonly [module: string, type: string]>> = {
  'swagger-ui.css': ['swagger-ui-dist/swagger-ui.css', 'text/css; charset=utf-8'],
  'swagger-ui-bundle.js': ['swagger-ui-dist/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  'favicon-32x32.png': ['swagger-ui-dist/favicon-32x32.png', 'image/png'],
  'redoc.standalone.js': ['redoc/bundles/redoc.standalone.js', 'text/javascript; charset=utf-8'],
}

/** The two documentation pages with their assets, and `/` that leads to the first. */
export function registerDocs(app: OpenAPIHono<Environment>): void {
  app.get('/', (context) => context.redirect('/docs', 302))
  app.get('/docs', () => html(SWAGGER_PAGE))
  app.get('/redoc', () => html(REDOC_PAGE))
  app.get('/docs/assets/:file', async (context) => {
    const file = context.req.param('file')
    if (file === 'start-swagger.js') return asset(START_SWAGGER, 'text/javascript; charset=utf-8')
    const found = Object.hasOwn(ASSETS, file) ? ASSETS[file] : undefined
    if (found === undefined) throw pathNotFound()
    const [module, type] = found
    return asset(await readFile(resolveModule(module)), type)
  })
}

function html(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY } })
}

function asset(body: string | Uint8Array<ArrayBuffer>, type: string): Response {
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } })
}
