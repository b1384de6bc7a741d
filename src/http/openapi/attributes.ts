import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { ATTRIBUTE_TYPES } from '../../core/attribute.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { DATA_PARAMETERS } from '../../engine/data/parameters.ts'
import type { Environment } from '../environment.ts'
import { describeAttributeImport } from './attribute-import.ts'
import { type ErrorSchema, errorResponses } from './errors.ts'
import { jsonResponse } from './response.ts'
import { jsonBody } from './segments.ts'

const type = z.enum(ATTRIBUTE_TYPES)
const typed = z.union([z.string(), z.number(), z.boolean()])
const definition = z.object({
  key: z.string(),
  label: z.string(),
  type,
  source: z.string().describe('`csv`, `api`, `computed` or the type of the connector'),
  description: z.string().nullable(),
  editable: z.boolean().describe('False for what the billing engine owns or is computed'),
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
})
const texts = { label: z.string().nullable().optional(), description: z.string().nullable().optional() }
const key = z.string().min(1).max(128).describe('No "=", control characters or blanks around it')
const customer = z.string().describe('Id of the account, else its external key')
const source_id = z.object({ source_id: DATA_PARAMETERS.source_id.schema.optional() })

const READ: readonly ErrorCode[] = ['unsupported_by_connector', 'connector_unavailable', 'query_timeout', 'internal']
const WRITE: readonly ErrorCode[] = ['payload_too_large', 'invalid_json', 'validation_failed', 'read_only_attribute', ...READ]

/** The attributes of customers in the document. */
export function describeAttributes(app: OpenAPIHono<Environment>, error: ErrorSchema): void {
  const { openAPIRegistry: registry } = app
  const tags = ['Attributes']
  registry.registerPath({
    method: 'get',
    path: '/api/attributes',
    operationId: 'attributes',
    tags,
    summary: 'All attributes by key: stored, of the billing engine, computed',
    responses: { 200: jsonResponse('The attributes', z.array(definition)), ...errorResponses(error, READ) },
  })
  registry.registerPath({
    method: 'post',
    path: '/api/attributes',
    operationId: 'declare_attribute',
    tags,
    summary: 'Declare an attribute with its type',
    description: 'On a key of the billing engine it pins the type that its values are read with.',
    request: { body: jsonBody(z.object({ key, type, ...texts })) },
    responses: {
      200: jsonResponse('It was declared with this type already', definition),
      201: jsonResponse('The attribute', definition),
      ...errorResponses(error, ['conflict', ...WRITE]),
    },
  })
  registry.registerPath({
    method: 'put',
    path: '/api/attributes/{key}',
    operationId: 'update_attribute',
    tags,
    summary: 'Change label and description',
    request: { params: z.object({ key: z.string() }), body: jsonBody(z.object(texts)) },
    responses: {
      200: jsonResponse('The attribute', z.object({ status: z.literal('updated') }).extend(definition.shape)),
      ...errorResponses(error, ['not_found', ...WRITE]),
    },
  })
  registry.registerPath({
    method: 'get',
    path: '/api/attributes/{key}/values',
    operationId: 'attribute_values',
    tags,
    summary: 'The different values of an attribute, ascending',
    request: { params: z.object({ key: z.string() }), query: z.object({ limit: DATA_PARAMETERS.limit.schema.optional() }) },
    responses: {
      200: jsonResponse('The values', z.object({ key: z.string(), type, values: z.array(typed), truncated: z.boolean() })),
      ...errorResponses(error, ['not_found', 'invalid_value', ...READ]),
    },
  })
  describeAttributeImport(app, error)
  describeValues(app, error)
}

function describeValues({ openAPIRegistry: registry }: OpenAPIHono<Environment>, error: ErrorSchema): void {
  const tags = ['Attributes']
  const { limit, offset, search } = DATA_PARAMETERS
  const row = z.object({
    customer_id: z.string(),
    customer_external_id: z.string().nullable(),
    customer_name: z.string().nullable(),
    customer_email: z.string().nullable(),
    key: z.string(),
    value: typed.nullable().describe('Null where the value of the billing engine does not fit the type'),
    origin: z.string().describe('Who wrote it last: `csv`, `api` or the type of the connector'),
    updated_at: z.string().nullable(),
  })
  registry.registerPath({
    method: 'get',
    path: '/api/customer-attributes',
    operationId: 'customer_attributes',
    tags,
    summary: 'Values of all customers, by customer and key',
    request: {
      query: z.object({
        key: z.string().optional().describe('Only this attribute'),
        search: search.schema.optional().describe(search.description),
        limit: limit.schema.optional().describe(limit.description),
        offset: offset.schema.optional().describe(offset.description),
        ...source_id.shape,
      }),
    },
    responses: {
      200: jsonResponse('A page', z.object({ total: z.int(), limit: z.int(), offset: z.int(), rows: z.array(row) })),
      ...errorResponses(error, ['invalid_value', ...READ]),
    },
  })
  registry.registerPath({
    method: 'post',
    path: '/api/customers/{id}/attributes',
    operationId: 'set_attributes',
    tags,
    summary: 'Set attributes of a customer, all or none',
    description: 'A key that is new gets the type of its value.',
    request: {
      params: z.object({ id: customer }),
      query: source_id,
      body: jsonBody(z.object({ attributes: z.record(z.string(), typed) })),
    },
    responses: {
      200: jsonResponse(
        'How many keys were accepted, how many had that value already, which are new',
        z.object({ upserted: z.int(), unchanged: z.int(), keys_created: z.array(z.string()) }),
      ),
      ...errorResponses(error, ['not_found', 'conflict', 'invalid_value', ...WRITE]),
    },
  })
  registry.registerPath({
    method: 'delete',
    path: '/api/customers/{id}/attributes/{key}',
    operationId: 'delete_attribute_value',
    tags,
    summary: 'Delete the value of a customer',
    request: { params: z.object({ id: customer, key: z.string() }), query: source_id },
    responses: {
      200: jsonResponse('Deleted', z.object({ status: z.literal('deleted') })),
      ...errorResponses(error, ['not_found', 'conflict', 'invalid_value', 'read_only_attribute', ...READ]),
    },
  })
}
