import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { limitBody } from '../body.ts'
import { errorResponses } from '../openapi/errors.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { SOURCE_READ } from './sources.ts'

const webhook = createRoute({
  tags: ['Sources'],
  method: 'post',
  path: '/api/webhooks/{address}',
  operationId: 'webhook',
  summary: 'Where an accounting platform sends its notifications',
  description:
    'Answered once the notifications are stored; they are worked off afterwards. A configured secret is always enforced: the signature of the ' +
    'body in the header that the platform uses (`intuit-signature`, else `x-webhook-signature`: HMAC-SHA256 in hex), or HTTP Basic. Notifications ' +
    'of companies that are not connected, of a database, and of a kind that is not read are ignored.',
  request: {
    params: z.object({ address: z.string().describe('Id of a source, or name of a platform') }),
    query: z.object({
      source_id: z.string().optional().describe('The source, where address and payload do not say which of several it is'),
    }),
    body: jsonBody(z.unknown()),
  },
  responses: {
    200: jsonResponse(
      'Stored',
      z.object({ status: z.literal('ok'), accepted: z.int(), ignored: z.int() }).meta({ id: 'WebhookReceipt' }),
    ),
    ...errorResponses(['unauthorized', 'not_found', 'payload_too_large', 'invalid_json', 'invalid_value', ...SOURCE_READ]),
  },
})

/** The receiver of webhooks. The platform signs the body byte by byte, so it is read as such. */
export function registerWebhooks(app: App, { sources }: Pick<Engine, 'sources'>, bodyBytes: number): void {
  const receiving = async (context: Parameters<Parameters<typeof serve<typeof webhook>>[2]>[0]) => {
    const receipt = await sources.receive({
      address: context.req.param('address'),
      source_id: context.req.query('source_id'),
      body: new Uint8Array(await context.req.arrayBuffer()),
      header: (name) => context.req.header(name),
    })
    return context.json(receipt, 200)
  }
  serve(app, webhook, receiving, limitBody(bodyBytes))
}
