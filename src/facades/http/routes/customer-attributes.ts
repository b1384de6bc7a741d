import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { ATTRIBUTE_VALUE, ATTRIBUTE_VALUES } from '../../../workspace/records/attribute.ts'
import { INSTANT } from '../../../workspace/records/fields.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { DELETED, jsonBody, jsonResponse, pageOf } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const customer = z.string().describe('Account id, or the external key')
const source_id = queryOf(named(['source_id']))

const row = z
  .object({
    customer_id: z.string(),
    customer_external_id: z.string().nullable(),
    customer_name: z.string().nullable(),
    customer_email: z.string().nullable(),
    key: z.string(),
    value: ATTRIBUTE_VALUE.nullable().describe('Null if the value of the billing engine does not fit the type'),
    origin: z.string().describe('Last writer: `csv`, `api` or the connector type'),
    updated_at: INSTANT.nullable(),
  })
  .meta({ id: 'CustomerAttribute', description: 'The value of an attribute for one customer' })

const common = { tags: ['Attributes'] }

const page = createRoute({
  ...common,
  method: 'get',
  path: '/api/customer-attributes',
  operationId: 'customer_attributes',
  summary: 'List attribute values of all customers',
  description: 'Stored values and values of the billing engine, sorted by customer and key. Computed attributes are left out.',
  request: { query: queryOf(named(['key', 'search', 'limit', 'offset', 'source_id'])) },
  responses: {
    200: jsonResponse('A page of values', pageOf(row)),
    ...errorResponses(['invalid_value', ...DATABASE_CODES]),
  },
})

const setting = createRoute({
  ...common,
  method: 'post',
  path: '/api/customers/{id}/attributes',
  operationId: 'set_attributes',
  summary: 'Set attributes of a customer',
  description: 'Sets all given attributes, or none if one is invalid. A new key gets the type of its value.',
  request: {
    params: z.object({ id: customer }),
    query: source_id,
    body: jsonBody(ATTRIBUTE_VALUES.shown),
  },
  responses: {
    200: jsonResponse(
      'Number of keys accepted, number of keys that had the value already, and new keys',
      z
        .object({ upserted: z.int(), unchanged: z.int(), keys_created: z.array(z.string()).readonly() })
        .meta({ id: 'AttributesSet' }),
    ),
    ...errorResponses(['not_found', 'conflict', 'invalid_value', 'read_only_attribute', ...WRITE_CODES]),
  },
})

const deletion = createRoute({
  ...common,
  method: 'delete',
  path: '/api/customers/{id}/attributes/{key}',
  operationId: 'delete_attribute_value',
  summary: 'Delete an attribute value of a customer',
  description: 'The attribute itself remains. Values that the billing engine owns cannot be deleted.',
  request: { params: z.object({ id: customer, key: z.string() }), query: source_id },
  responses: {
    200: jsonResponse('Deleted', DELETED),
    ...errorResponses(['not_found', 'conflict', 'invalid_value', 'read_only_attribute', ...DATABASE_CODES]),
  },
})

/** The attribute values of customers. */
export function registerCustomerAttributes(app: App, { attributes }: Pick<Engine, 'attributes'>): void {
  serve(app, page, async (context) => context.json(await attributes.page(parametersOf(context)), 200))
  serve(app, setting, async (context) => {
    const body = await readJson(context)
    return context.json(await attributes.set(context.req.param('id'), body, parametersOf(context)), 200)
  })
  serve(app, deletion, async (context) => {
    const { id, key } = context.req.param()
    await attributes.remove(id, key, parametersOf(context))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
