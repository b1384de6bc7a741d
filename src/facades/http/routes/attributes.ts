import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { ATTRIBUTE, ATTRIBUTE_TYPE, ATTRIBUTE_VALUE } from '../../../workspace/records/attribute.ts'
import { updated } from '../../../workspace/records/define-record.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const common = { tags: ['Attributes'] }

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/attributes',
  operationId: 'attributes',
  summary: 'List attributes',
  description:
    'Stored attributes, attributes of the billing engine and computed ones, sorted by key. Use them as `attr.X` and in conditions of segments.',
  responses: { 200: jsonResponse('The attributes', z.array(ATTRIBUTE.answer).readonly()), ...errorResponses(DATABASE_CODES) },
})

const declaration = createRoute({
  ...common,
  method: 'post',
  path: '/api/attributes',
  operationId: 'declare_attribute',
  summary: 'Declare an attribute',
  description:
    'Creates an attribute with a fixed type. For a key of the billing engine, it sets the type that its values are read as.',
  request: { body: jsonBody(ATTRIBUTE.body.shown) },
  responses: {
    200: jsonResponse('The attribute already exists with this type', ATTRIBUTE.answer),
    201: jsonResponse('The attribute', ATTRIBUTE.answer),
    ...errorResponses(['conflict', 'read_only_attribute', ...WRITE_CODES]),
  },
})

const change = createRoute({
  ...common,
  method: 'put',
  path: '/api/attributes/{key}',
  operationId: 'update_attribute',
  summary: 'Update an attribute',
  description: 'Changes the label and the description. Omitted fields stay unchanged. The type of an attribute never changes.',
  request: { params: z.object({ key: z.string() }), body: jsonBody(ATTRIBUTE.change.shown) },
  responses: {
    200: jsonResponse('The attribute', updated(ATTRIBUTE.answer)),
    ...errorResponses(['not_found', 'read_only_attribute', ...WRITE_CODES]),
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
        .object({ key: z.string(), type: ATTRIBUTE_TYPE, values: z.array(ATTRIBUTE_VALUE).readonly(), truncated: z.boolean() })
        .meta({ id: 'DifferentValues' }),
    ),
    ...errorResponses(['not_found', 'invalid_value', ...DATABASE_CODES]),
  },
})

/** The attributes of customers: list, declare, update, values. */
export function registerAttributes(app: App, { attributes }: Pick<Engine, 'attributes'>): void {
  serve(app, all, async (context) => context.json(await attributes.list(), 200))
  serve(app, declaration, async (context) => {
    const { isNew, attribute } = await attributes.declare(await readJson(context))
    context.set('made', attribute.key)
    return context.json(attribute, isNew ? 201 : 200)
  })
  serve(app, change, async (context) => {
    const attribute = await attributes.update(context.req.param('key'), await readJson(context))
    return context.json({ status: 'updated' as const, ...attribute }, 200)
  })
  serve(app, values, async (context) =>
    context.json(await attributes.values(context.req.param('key'), parametersOf(context)), 200),
  )
}
