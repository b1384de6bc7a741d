import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

const webhook = createRoute({
  tags: ['Sources'],
  method: 'post',
  path: '/api/webhooks/{address}',
  operationId: 'webhook',
  summary: 'Receive notifications of a platform',
  description:
    'Accounting platforms send their notifications here. The response is sent when they are stored. They are processed later. A configured ' +
    'secret is always enforced: the signature of the body in the header of the platform (`intuit-signature`, otherwise `x-webhook-signature`: ' +
    'HMAC-SHA256 in hex), or HTTP Basic. Notifications are ignored if their company is not connected, their source is a database, or their kind is unsupported.',
  request: {
    params: z.object({ address: z.string().describe('Source id or platform name') }),
    query: z.object({
      source_id: z.string().optional().describe('Source id. Required if the address and the payload match several sources'),
    }),
    body: jsonBody(z.unknown()),
  },
  responses: {
    200: jsonResponse(
      'The notifications are stored',
      z.object({ status: z.literal('ok'), accepted: z.int(), ignored: z.int() }).meta({ id: 'WebhookReceipt' }),
    ),
    ...errorResponses(['unauthorized', 'not_found', 'payload_too_large', 'invalid_json', 'invalid_value', ...DATABASE_CODES]),
  },
})

/** The receiver of webhooks. The signature covers the raw bytes, so the body is not parsed here. */
export function registerWebhooks(app: App, { sources }: Pick<Engine, 'sources'>): void {
  const receiving = async (context: Parameters<Parameters<typeof serve<typeof webhook>>[2]>[0]) => {
    const receipt = await sources.receive({
      address: context.req.param('address'),
      source_id: context.req.query('source_id'),
      body: new Uint8Array(await context.req.arrayBuffer()),
      header: (name) => context.req.header(name),
    })
    return context.json(receipt, 200)
  }
  serve(app, webhook, receiving)
}
