import { createRoute, z } from '@hono/zod-openapi'
import { errorResponses } from '../openapi/errors.ts'
import { textResponse } from '../openapi/response.ts'
import type { Exposition } from '../prometheus/exposition.ts'
import { type App, serve } from '../serve.ts'

const figures = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'prometheus',
  tags: ['Health'],
  summary: 'Figures of the service itself, for Prometheus: requests, queues, cache, replica, store, process',
  description: 'The text exposition format. The figures are of this process.',
  responses: { 200: textResponse('Text exposition format', 'text/plain', z.string()), ...errorResponses(['internal']) },
})

/** The service's own figures, for Prometheus. */
export function registerPrometheus(app: App, exposition: Exposition): void {
  serve(app, figures, async (context) => context.text(await exposition.text(), 200, { 'Content-Type': exposition.contentType }))
}
