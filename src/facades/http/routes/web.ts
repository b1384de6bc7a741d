import { createRoute, z } from '@hono/zod-openapi'
import { parseAccept } from 'hono/utils/accept'
import type { RequestContext } from '../environment.ts'
import { pathNotFound } from '../errors.ts'
import { ERROR, errorResponses } from '../openapi/errors.ts'
import { pickHeaders } from '../openapi/headers.ts'
import { jsonResponse, textResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import type { WebAsset, WebFiles } from '../web-files.ts'

// Nothing from other hosts and nothing inline, not even a style attribute.
const policyFor = (issuer: string | null) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    // The page gets its tokens from the issuer.
    `connect-src 'self'${issuer === null ? '' : ` ${new URL(issuer).origin}`}`,
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const FOREVER = 'public, max-age=31536000, immutable'

/** Paths for programs. Below them an unknown path is an error, never the page. */
const OF_PROGRAMS = ['/api/', '/docs/', '/assets/', '/feed/']

const ASSET_TYPES = ['text/javascript', 'text/css', 'image/svg+xml']

const common = { tags: ['Dashboard'] }
const internal = errorResponses(['internal'])

const root = createRoute({
  ...common,
  method: 'get',
  path: '/',
  operationId: 'root',
  summary: 'The dashboard',
  description:
    'The web dashboard for browsers. If it is not built, as in a source checkout, this redirects to the documentation.',
  responses: {
    200: textResponse('HTML page', 'text/html', z.string()),
    302: { description: 'Redirect to `/docs`', headers: pickHeaders('x-request-id') },
    default: jsonResponse('Every other response is an error', ERROR),
    ...internal,
  },
})

const assets = createRoute({
  ...common,
  method: 'get',
  path: '/assets/{file}',
  operationId: 'web_asset',
  summary: 'Asset of the dashboard',
  description: 'Scripts, styles and images. The name contains a hash of the content, so it can be cached forever.',
  request: { params: z.object({ file: z.string().describe('File name') }) },
  responses: {
    200: {
      ...textResponse('The file', 'text/javascript', z.string()),
      content: Object.fromEntries(ASSET_TYPES.map((type) => [type, { schema: z.string() }])),
    },
    ...errorResponses(['not_found', 'internal']),
  },
})

/** The dashboard and how to serve it. */
interface ServedWeb {
  /** Undefined if it was not built. */
  readonly files: WebFiles | undefined
  /** `server.base_path`. */
  readonly base: string
  /** OpenID Connect issuer. Null without sign-in, or with API keys only. */
  readonly issuer: string | null
}

/** The page under `/` with its files. Without a build, `/` redirects to the documentation. */
export function registerWeb(app: App, web: ServedWeb): void {
  const { files, base } = web
  serve(app, root, (context) => {
    return pageOf(web) ?? context.redirect(`${base}/docs`, 302)
  })
  serve(app, assets, (context) => {
    const asset = files?.assets.get(context.req.param('file'))
    if (asset === undefined) throw pathNotFound()
    return assetResponse(asset, context.req.header('accept-encoding') ?? '')
  })
}

/** The page for unknown paths, if a browser asks for a document: the page has its own router. */
export function pageInstead({ req }: RequestContext, web: ServedWeb): Response | undefined {
  const { base } = web
  if (req.method !== 'GET' && req.method !== 'HEAD') return undefined
  const { pathname } = new URL(req.url)
  if (base !== '' && !pathname.startsWith(`${base}/`)) return undefined
  const path = pathname.slice(base.length)
  if (OF_PROGRAMS.some((beginning) => `${path}/`.startsWith(beginning))) return undefined
  const asked = parseAccept(req.header('accept') ?? '')
  return asked.some(({ type }) => type === 'text/html') ? pageOf(web) : undefined
}

function pageOf({ files, base, issuer }: ServedWeb): Response | undefined {
  if (files === undefined) return undefined
  return new Response(files.page.replace('<base href="/">', `<base href="${base}/">`), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(issuer),
      'cache-control': 'no-cache',
    },
  })
}

function assetResponse({ type, bytes, encoded }: WebAsset, accepted: string): Response {
  const taken = accepted.split(',').map((coding) => coding.split(';')[0]?.trim())
  const best = encoded.find(({ encoding }) => taken.includes(encoding))
  const body = best?.bytes ?? bytes
  const headers = new Headers({ 'content-type': type, 'cache-control': FOREVER, 'content-length': String(body.byteLength) })
  if (encoded.length > 0) headers.set('vary', 'Accept-Encoding')
  if (best !== undefined) headers.set('content-encoding', best.encoding)
  return new Response(body, { headers })
}
