import { createRoute, z } from '@hono/zod-openapi'
import { getCookie, setCookie } from 'hono/cookie'
import type { Engine } from '../../../engine/engine.ts'
import type { RequestContext } from '../environment.ts'
import { errorResponses } from '../openapi/errors.ts'
import { pickHeaders } from '../openapi/headers.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { SOURCE, SOURCE_READ } from './sources.ts'

/** Ties a consent to the browser that began it: a link that somebody else sends leads nowhere. */
const COOKIE = 'plumbline_consent'
const COOKIE_SECONDS = 600

const common = { tags: ['Sources'] }
const params = z.object({ type: z.string().describe('Name of the platform, such as `quickbooks`') })
const redirection = (description: string) => ({ description, headers: pickHeaders('x-request-id') })

const start = createRoute({
  ...common,
  method: 'get',
  path: '/api/connectors/{type}/oauth/start',
  operationId: 'start_consent',
  summary: 'Send the browser to a platform to connect a company',
  description:
    'With `Accept: application/json` the address is answered instead; the browser that goes there needs the cookie of this answer.',
  request: { params },
  responses: {
    302: redirection('To the platform'),
    200: jsonResponse('Where to send the browser', z.object({ authorize_url: z.string() }).meta({ id: 'Consent' })),
    ...errorResponses(['not_found', ...SOURCE_READ]),
  },
})

const callback = createRoute({
  ...common,
  method: 'get',
  path: '/api/connectors/{type}/oauth/callback',
  operationId: 'end_consent',
  summary: 'Where a platform sends the browser back to',
  description: 'Ends what `oauth/start` began, in the browser that began it. For platforms, not for programs.',
  request: {
    params,
    query: z.object({
      state: z.string().describe('As it was sent; it can be used once, for 10 minutes, by the browser that began'),
      code: z.string().optional(),
      realmId: z.string().optional().describe('The company'),
      error: z.string().optional().describe('Why there is no code'),
    }),
  },
  responses: {
    302: redirection('To `/?<type>_connected=1`'),
    200: jsonResponse('The source, with `Accept: application/json`', SOURCE),
    ...errorResponses(['not_found', 'invalid_value', 'conflict', ...SOURCE_READ]),
  },
})

/** The consent of a person in the browser; `base` is `server.base_path`. */
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
