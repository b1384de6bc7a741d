import { createRoute, z } from '@hono/zod-openapi'
import { ATTRIBUTE_TYPES } from '../../../core/attribute.ts'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { limitBody, readJson } from '../body.ts'
import { errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { INSTANT, jsonBody, jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const type = z.enum(ATTRIBUTE_TYPES).meta({ id: 'AttributeType' })
const definition = z
  .object({
    key: z.string(),
    label: z.string(),
    type,
    source: z.string().describe('`csv`, `api`, `computed` or the type of the connector'),
    description: z.string().nullable(),
    editable: z.boolean().describe('False for what the billing engine owns or is computed'),
    created_at: INSTANT.nullable(),
    updated_at: INSTANT.nullable(),
  })
  .meta({ id: 'Attribute', description: 'What may be known of customers beyond their accounts' })
const texts = { label: z.string().nullable().optional(), description: z.string().nullable().optional() }
const key = z.string().min(1).max(128).describe('No "=", control characters or blanks around it')

/** A value of an attribute in its type. */
export const ATTRIBUTE_VALUE = z.union([z.string(), z.number(), z.boolean()]).meta({ id: 'AttributeValue' })

/** Codes that reading attributes may answer. */
export const ATTRIBUTE_READ: readonly ErrorCode[] = [
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
  'internal',
]

/** Codes that writing attributes may answer. */
export const ATTRIBUTE_WRITE: readonly ErrorCode[] = [
  'payload_too_large',
  'invalid_json',
  'validation_failed',
  'read_only_attribute',
  ...ATTRIBUTE_READ,
]

const common = { tags: ['Attributes'] }

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/attributes',
  operationId: 'attributes',
  summary: 'All attributes by key: stored, of the billing engine, computed',
  description: 'What `attr.X` and the conditions of segments may name.',
  responses: { 200: jsonResponse('The attributes', z.array(definition).readonly()), ...errorResponses(ATTRIBUTE_READ) },
})

const declaration = createRoute({
  ...common,
  method: 'post',
  path: '/api/attributes',
  operationId: 'declare_attribute',
  summary: 'Declare an attribute with its type',
  description: 'On a key of the billing engine it pins the type that its values are read with.',
  request: { body: jsonBody(z.object({ key, type, ...texts }).meta({ id: 'NewAttribute' })) },
  responses: {
    200: jsonResponse('It was declared with this type already', definition),
    201: jsonResponse('The attribute', definition),
    ...errorResponses(['conflict', ...ATTRIBUTE_WRITE]),
  },
})

const change = createRoute({
  ...common,
  method: 'put',
  path: '/api/attributes/{key}',
  operationId: 'update_attribute',
  summary: 'Change label and description',
  description: 'What is absent stays as it is. The type of an attribute never changes.',
  request: { params: z.object({ key: z.string() }), body: jsonBody(z.object(texts).meta({ id: 'AttributeChange' })) },
  responses: {
    200: jsonResponse(
      'The attribute',
      z
        .object({ status: z.literal('updated') })
        .and(definition)
        .meta({ id: 'UpdatedAttribute' }),
    ),
    ...errorResponses(['not_found', ...ATTRIBUTE_WRITE]),
  },
})

const values = createRoute({
  ...common,
  method: 'get',
  path: '/api/attributes/{key}/values',
  operationId: 'attribute_values',
  summary: 'The different values of an attribute, ascending',
  description: 'At most `limit`; `truncated` says that there are more.',
  request: { params: z.object({ key: z.string() }), query: queryOf(named(['limit'])) },
  responses: {
    200: jsonResponse(
      'The values',
      z
        .object({ key: z.string(), type, values: z.array(ATTRIBUTE_VALUE).readonly(), truncated: z.boolean() })
        .meta({ id: 'DifferentValues' }),
    ),
    ...errorResponses(['not_found', 'invalid_value', ...ATTRIBUTE_READ]),
  },
})

/** What is known of customers beyond the billing engine's accounts: the attributes themselves. */
export function registerAttributes(app: App, { attributes }: Pick<Engine, 'attributes'>, bodyBytes: number): void {
  const limited = limitBody(bodyBytes)
  serve(app, all, async (context) => context.json(await attributes.list(), 200))
  serve(
    app,
    declaration,
    async (context) => {
      const { isNew, attribute } = await attributes.declare(await readJson(context))
      context.set('made', attribute.key)
      return context.json(attribute, isNew ? 201 : 200)
    },
    limited,
  )
  serve(
    app,
    change,
    async (context) => {
      const attribute = await attributes.update(context.req.param('key'), await readJson(context))
      return context.json({ status: 'updated' as const, ...attribute }, 200)
    },
    limited,
  )
  serve(app, values, async (context) =>
    context.json(await attributes.values(context.req.param('key'), parametersOf(context)), 200),
  )
}
