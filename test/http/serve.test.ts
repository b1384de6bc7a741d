import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import type { Environment } from '../../src/facades/http/environment.ts'
import { bodyTypesOf } from '../../src/facades/http/guard-writes.ts'
import { jsonBody, jsonResponse } from '../../src/facades/http/openapi/response.ts'
import { canonicalPath } from '../../src/facades/http/paths.ts'
import { serve } from '../../src/facades/http/serve.ts'

const route = createRoute({
  method: 'post',
  path: '/api/metrics/seat-count/{plan}',
  request: {
    params: z.object({ plan: z.string().min(10) }),
    query: z.object({ at: z.iso.date() }),
    body: jsonBody(z.object({ seats: z.int() })),
  },
  responses: { 200: jsonResponse('Seats', z.object({ seats: z.number() })) },
})

const service = () => new OpenAPIHono<Environment>({ getPath: canonicalPath })

it.each(['/api/metrics/seat-count/pro', '/api/metrics/seat_count/pro'])('a route answers at %s', async (path) => {
  const app = service()
  serve(app, route, (context) => context.json({ seats: context.req.param('plan').length }, 200))
  const response = await app.request(path, { method: 'POST' })
  expect(await response.json()).toEqual({ seats: 3 })
})

it('the request is left to the handler, whatever the document says of it', async () => {
  const app = service()
  serve(app, route, async (context) => context.json({ seats: (await context.req.text()).length }, 200))
  const headers = { 'content-type': 'application/json' }
  const response = await app.request('/api/metrics/seat_count/x?at=never', { method: 'POST', headers, body: '{"seats":' })
  expect([response.status, await response.json()]).toEqual([200, { seats: 9 }])
})

it('the document has the route, its body and what is answered before it is reached', () => {
  const app = service()
  serve(app, route, (context) => context.json({ seats: 1 }, 200))
  const { paths } = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '1' } })
  const described = paths?.['/api/metrics/seat-count/{plan}']?.post
  expect(Object.keys(described?.responses ?? {})).toEqual(['200', '403', '415'])
  expect(described?.parameters).toMatchObject([{ name: 'plan' }, { name: 'at' }])
  expect(bodyTypesOf(app)('POST', '/api/metrics/seat_count/:plan')).toEqual(['application/json'])
})

it('an answer of another shape than the documented one does not compile', () => {
  // @ts-expect-error The document promises a number.
  serve(service(), route, (context) => context.json({ seats: 'three' }, 200))
  // @ts-expect-error The document knows no such status.
  serve(service(), route, (context) => context.json({ seats: 3 }, 201))
})
