import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import { renderJson } from '../../engine/facade/render.ts'
import { setWarnings } from '../answer.ts'
import type { Environment } from '../environment.ts'

/** What can be asked: the names of the metrics, and the fields of each. */
export function registerDiscovery(app: OpenAPIHono<Environment>, engine: Engine): void {
  app.get('/api/metrics', () => json(engine.metrics()))
  app.get('/api/metrics/:metric/fields', async (context) => {
    const { data, meta } = await engine.fields(context.req.param('metric'))
    const response = json(data)
    setWarnings(response.headers, meta)
    return response
  })
}

function json(body: unknown): Response {
  return new Response(renderJson(body), { headers: { 'content-type': 'application/json' } })
}
