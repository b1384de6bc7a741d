import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import { renderJson } from '../../engine/facade/render.ts'
import type { Environment } from '../environment.ts'

/** Liveness, which touches nothing, and readiness, which asks the replica and the store. */
export function registerHealth(app: OpenAPIHono<Environment>, engine: Engine): void {
  app.get('/healthz', () => json({ status: 'ok' }, 200))
  app.get('/readyz', async () => {
    const readiness = await engine.readiness()
    return json(readiness, readiness.status === 'ok' ? 200 : 503)
  })
}

function json(body: unknown, status: number): Response {
  const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  if (status === 503) headers.set('retry-after', '5')
  return new Response(renderJson(body), { status, headers })
}
