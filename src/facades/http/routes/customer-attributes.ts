import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { limitBody, readJson } from '../body.ts'
import { errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { DELETED, INSTANT, jsonBody, jsonResponse, pageOf } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'
import { ATTRIBUTE_READ, ATTRIBUTE_VALUE, ATTRIBUTE_WRITE } from './attributes.ts'

const customer = z.string().describe('Id of the account, else its external key')
const source_id = queryOf(named(['source_id']))

const row = z
  .object({
    customer_id: z.string(),
    customer_external_id: z.string().nullable(),
    customer_name: z.string().nullable(),
    customer_email: z.string().nullable(),
    key: z.string(),
    value: ATTRIBUTE_VALUE.nullable().describe('Null where the value of the billing engine does not fit the type'),
    origin: z.string().describe('Who wrote it last: `csv`, `api` or the type of the connector'),
    updated_at: INSTANT.nullable(),
  })
  .meta({ id: 'CustomerAttribute', description: 'The value that a customer has of an attribute' })

const common = { tags: ['Attributes'] }

const page = createRoute({
  ...common,
  method: 'get',
  path: '/api/customer-attributes',
  operationId: 'customer_attributes',
  summary: 'Values of all customers, by customer and key',
  description: 'Those that are stored and those of the billing engine; computed ones are left out.',
  request: { query: queryOf(named(['key', 'search', 'limit', 'offset', 'source_id'])) },
  responses: {
    200: jsonResponse('A page', pageOf(row)),
    ...errorResponses(['invalid_value', ...ATTRIBUTE_READ]),
  },
})

const setting = createRoute({
  ...common,
  method: 'post',
  path: '/api/customers/{id}/attributes',
  operationId: 'set_attributes',
  summary: 'Set attributes of a customer, all or none',
  description: 'A key that is new gets the type of its value.',
  request: {
    params: z.object({ id: customer }),
    query: source_id,
    body: jsonBody(z.object({ attributes: z.record(z.string(), ATTRIBUTE_VALUE) }).meta({ id: 'AttributeValues' })),
  },
  responses: {
    200: jsonResponse(
      'How many keys were accepted, how many had that value already, which are new',
      z
        .object({ upserted: z.int(), unchanged: z.int(), keys_created: z.array(z.string()).readonly() })
        .meta({ id: 'AttributesSet' }),
    ),
    ...errorResponses(['not_found', 'conflict', 'invalid_value', ...ATTRIBUTE_WRITE]),
  },
})

const deletion = createRoute({
  ...common,
  method: 'delete',
  path: '/api/customers/{id}/attributes/{key}',
  operationId: 'delete_attribute_value',
  summary: 'Delete the value of a customer',
  description: 'The attribute itself stays. What the billing engine owns is refused.',
  request: { params: z.object({ id: customer, key: z.string() }), query: source_id },
  responses: {
    200: jsonResponse('Deleted', DELETED),
    ...errorResponses(['not_found', 'conflict', 'invalid_value', 'read_only_attribute', ...ATTRIBUTE_READ]),
  },
})

/** The values that customers have of attributes. */
export function registerCustomerAttributes(app: App, { attributes }: Pick<Engine, 'attributes'>, bodyBytes: number): void {
  serve(app, page, async (context) => context.json(await attributes.page(parametersOf(context)), 200))
  serve(
    app,
    setting,
    async (context) => {
      const body = await readJson(context)
      return context.json(await attributes.set(context.req.param('id'), body, parametersOf(context)), 200)
    },
    limitBody(bodyBytes),
  )
  serve(app, deletion, async (context) => {
    const { id, key } = context.req.param()
    await attributes.remove(id, key, parametersOf(context))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
