import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import { readJson } from '../body.ts'
import type { Environment } from '../environment.ts'
import { limitBody } from '../limit-body.ts'

/** The saved segments. */
export function registerSegments(app: OpenAPIHono<Environment>, { segments }: Pick<Engine, 'segments'>, bodyBytes: number): void {
  app.get('/api/segments', async (context) => context.json(await segments.list()))
  app.post('/api/segments', limitBody(bodyBytes), async (context) =>
    context.json(await segments.create(await readJson(context)), 201),
  )
  app.get('/api/segments/:id', async (context) => context.json(await segments.get(context.req.param('id'))))
  app.put('/api/segments/:id', limitBody(bodyBytes), async (context) => {
    const segment = await segments.update(context.req.param('id'), await readJson(context))
    return context.json({ status: 'updated', ...segment })
  })
  app.delete('/api/segments/:id', async (context) => {
    await segments.delete(context.req.param('id'))
    return context.json({ status: 'deleted' })
  })
}
