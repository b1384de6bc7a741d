import { createRoute, z } from '@hono/zod-openapi'
import { getCookie, setCookie } from 'hono/cookie'
import type { Engine } from '../../../engine/engine.ts'
import type { RequestContext } from '../environment.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { pickHeaders } from '../openapi/headers.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { SOURCE } from './sources.ts'

/** Ties a consent to the browser that began it, so that a link from somebody else is useless. */
const COOKIE = 'plumbline_consent'
const COOKIE_SECONDS = 600

const common = { tags: ['Sources'] }
const params = z.object({ type: z.string().describe('Platform name, such as `quickbooks`') })
const redirection = (description: string) => ({ description, headers: pickHeaders('x-request-id') })

const start = createRoute({
  ...common,
  method: 'get',
  path: '/api/connectors/{type}/oauth/start',
  operationId: 'start_consent',
  summary: 'Start to connect a company',
  description:
    'Redirects the browser to the platform. With `Accept: application/json`, the response has the URL instead. The browser that opens the URL needs the cookie of this response.',
  request: { params },
  responses: {
    302: redirection('Redirect to the platform'),
    200: jsonResponse('The URL of the platform', z.object({ authorize_url: z.string() }).meta({ id: 'Consent' })),
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

const callback = createRoute({
  ...common,
  method: 'get',
  path: '/api/connectors/{type}/oauth/callback',
  operationId: 'end_consent',
  summary: 'Finish to connect a company',
  description:
    'The platform redirects the browser here after consent. It must be the browser that called `oauth/start`. Do not call this endpoint from programs.',
  request: {
    params,
    query: z.object({
      state: z.string().describe('The state that `oauth/start` sent. Valid once, for 10 minutes, in the same browser'),
      code: z.string().optional(),
      realmId: z.string().optional().describe('Id of the company'),
      error: z.string().optional().describe('Reason if there is no code'),
    }),
  },
  responses: {
    302: redirection('Redirect to `/?<type>_connected=1`'),
    200: jsonResponse('The source, if `Accept: application/json` was sent', SOURCE),
    ...errorResponses(['not_found', 'invalid_value', 'conflict', ...DATABASE_CODES]),
  },
})

/** The OAuth consent in the browser. `base` is `server.base_path`. */
export function registerConsent(app: App, { sources }: Pick<Engine, 'sources'>, base: string): void {
  serve(app, start, async (context) => {
    const type = context.req.param('type')
    const { authorize_url, browser, isSecure } = await sources.beginConsent(type, getCookie(context, COOKIE))
    setCookie(context, COOKIE, browser, {
      path: `${base}/api/connectors`,
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure,
      maxAge: COOKIE_SECONDS,
    })
    return wantsJson(context) ? context.json({ authorize_url }, 200) : context.redirect(authorize_url, 302)
  })
  serve(app, callback, async (context) => {
    const type = context.req.param('type')
    const source = await sources.endConsent(type, new URL(context.req.url).searchParams, getCookie(context, COOKIE))
    return wantsJson(context) ? context.json(source, 200) : context.redirect(`${base}/?${type}_connected=1`, 302)
  })
}

function wantsJson(context: Pick<RequestContext, 'req'>): boolean {
  return (context.req.header('accept') ?? '').includes('application/json')
}
