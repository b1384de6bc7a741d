import { createRoute, z } from '@hono/zod-openapi'
import { ATTRIBUTE_TYPES } from '../../../core/attribute.ts'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { limitBody, readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
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
    source: z.string().describe('Origin: `csv`, `api`, `computed` or the connector type'),
    description: z.string().nullable(),
    editable: z.boolean().describe('False for attributes that the billing engine owns and for computed ones'),
    created_at: INSTANT.nullable(),
    updated_at: INSTANT.nullable(),
  })
  .meta({ id: 'Attribute', description: 'A custom field of customers' })
const texts = { label: z.string().nullable().optional(), description: z.string().nullable().optional() }
const key = z.string().min(1).max(128).describe('No "=", no control characters, no leading or trailing spaces')

/** A value of an attribute in its type. */
export const ATTRIBUTE_VALUE = z.union([z.string(), z.number(), z.boolean()]).meta({ id: 'AttributeValue' })

/** Error codes of reading attributes. */
export const ATTRIBUTE_READ: readonly ErrorCode[] = [...DATABASE_CODES]

/** Error codes of writing attributes. */
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
  summary: 'List attributes',
  description:
    'Stored attributes, attributes of the billing engine and computed ones, sorted by key. Use them as `attr.X` and in conditions of segments.',
  responses: { 200: jsonResponse('The attributes', z.array(definition).readonly()), ...errorResponses(ATTRIBUTE_READ) },
})

const declaration = createRoute({
  ...common,
  method: 'post',
  path: '/api/attributes',
  operationId: 'declare_attribute',
  summary: 'Declare an attribute',
  description:
    'Creates an attribute with a fixed type. For a key of the billing engine, it sets the type that its values are read as.',
  request: { body: jsonBody(z.object({ key, type, ...texts }).meta({ id: 'NewAttribute' })) },
  responses: {
    200: jsonResponse('The attribute already exists with this type', definition),
    201: jsonResponse('The attribute', definition),
    ...errorResponses(['conflict', ...ATTRIBUTE_WRITE]),
  },
})

const change = createRoute({
  ...common,
  method: 'put',
  path: '/api/attributes/{key}',
  operationId: 'update_attribute',
  summary: 'Update an attribute',
  description: 'Changes the label and the description. Omitted fields stay unchanged. The type of an attribute never changes.',
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
  summary: 'List the values of an attribute',
  description: 'Distinct values in ascending order, at most `limit`. `truncated` is true if there are more.',
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

/** The attributes of customers: list, declare, update, values. */
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
