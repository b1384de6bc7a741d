import { createRoute, z } from '@hono/zod-openapi'
import type { Engine, OpenedLink } from '../../../engine/engine.ts'
import { sharedBriefing } from '../../presentation/briefing/link-numbers.ts'
import { credentialOf, requestOriginOf } from '../access/guard.ts'
import { conditional } from '../conditional.ts'
import type { RequestContext } from '../environment.ts'
import { pathNotFound } from '../errors.ts'
import type { LinkVisits } from '../link-visits.ts'
import { UNCHANGED } from '../openapi/answers.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonResponse, textResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import type { WebFiles } from '../web-files.ts'

const INSTANT = z.string().meta({ format: 'date-time' })

/** A briefing. Blocks may get further fields. */
const BRIEFING = z
  .looseObject({
    name: z.string(),
    title: z.string(),
    days: z.looseObject({ start: z.string(), end: z.string() }),
    data_through: INSTANT.nullable().describe('The instant up to which the data is complete. Null: it is not known'),
    base_currency: z.string(),
    time_zone: z.string().optional(),
    definitions: z.string(),
    blocks: z
      .array(z.looseObject({ kind: z.string(), title: z.string() }))
      .readonly()
      .describe('Figures, tables and sentences'),
    left_out: z.array(z.looseObject({ title: z.string(), reason: z.string() })).readonly(),
    warnings: z.array(z.string()).readonly(),
  })
  .meta({
    id: 'Briefing',
    description: 'Blocks of numbers, and the facts that they need. Amounts are cents of the base currency',
  })

const SHARED = z
  .object({
    moment: z.enum(['live', 'fixed']),
    as_of: INSTANT.describe('The instant at which the numbers were asked'),
    expires_at: INSTANT,
    briefing: BRIEFING,
  })
  .meta({ id: 'SharedPage', description: 'The dashboard of a link' })

const shared = createRoute({
  tags: ['Links'],
  method: 'get',
  path: '/api/shared',
  operationId: 'shared_page',
  summary: 'The dashboard of a link',
  description:
    'The credential is the token of a link: `authorization: Bearer pll_…`. It opens nothing else. Without `names`, charts of customers are left out, and `left_out` says so. Numbers are at most a minute old. A link answers 60 times a minute.',
  responses: {
    200: jsonResponse('The dashboard', SHARED, ['etag']),
    304: UNCHANGED,
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

const page = createRoute({
  tags: ['Links'],
  method: 'get',
  path: '/shared',
  operationId: 'shared_page_html',
  summary: 'The page of a link',
  description:
    'For browsers. The token of the link is the fragment of its address, which is not sent. Search engines do not list it. Only pages of `share.embed_origins` may embed it.',
  responses: { 200: textResponse('HTML page', 'text/html', z.string()), ...errorResponses(['not_found', 'internal']) },
})

/** The settings of shared pages. */
export interface SharedSettings {
  readonly files: WebFiles | undefined
  /** `server.base_path`. */
  readonly base: string
  /** `share.embed_origins`. */
  readonly embedOrigins: readonly string[]
  readonly visits: LinkVisits
  /** The day of the clock. */
  readonly today: () => string
}

/** The page of a link, and its numbers. */
export function registerShared(app: App, engine: Engine, settings: SharedSettings): void {
  const { files, base, embedOrigins, visits, today } = settings
  serve(
    app,
    shared,
    async (context) => {
      context.set('query', 'shared')
      const opened = await openLink(context, engine, visits, credentialOf(context) ?? '', 'page')
      const { moment, expires_at, names, id } = opened.link
      const { shown } = opened
      if ('kept' in shown) return context.json({ moment, expires_at, ...(shown.kept as object) } as never, 200)
      if (!('dashboard' in shown)) throw pathNotFound()
      const { dashboard } = shown
      const ask = () => sharedBriefing(engine, dashboard, names, today())
      const answer = await visits.answer(id, JSON.stringify(dashboard), ask)
      return context.json({ moment, expires_at, ...answer } as never, 200)
    },
    conditional(),
  )
  serve(app, page, () => {
    if (files?.shared === undefined) throw pathNotFound()
    return new Response(files.shared.replace('<base href="/">', `<base href="${base}/">`), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(embedOrigins),
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex, nofollow',
      },
    })
  })
}

/** Opens the link of a token, counts the opening and records it. AppError `not_found`, `overloaded`. */
export async function openLink(
  context: RequestContext,
  { links, auth }: Pick<Engine, 'links' | 'auth'>,
  visits: LinkVisits,
  token: string,
  kind: 'page' | 'feed',
): Promise<OpenedLink> {
  const opened = await links.open(token, kind)
  const { id } = opened.link
  visits.count(id)
  const principal = { id: `link:${id}`, kind: 'anonymous', scopes: [] } as const
  const path = kind === 'page' ? 'GET /api/shared' : 'GET /feed/{file}'
  auth.record(principal, { action: 'link.open', target: id, status: 200 }, requestOriginOf(context, path))
  return opened
}

function policyFor(embedOrigins: readonly string[]): string {
  return [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
    ...["base-uri 'self'", "form-action 'none'"],
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')}`,
  ].join('; ')
}
