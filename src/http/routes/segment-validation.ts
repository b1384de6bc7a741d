import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import { readJson } from '../body.ts'
import type { Environment } from '../environment.ts'
import { limitBody } from '../limit-body.ts'

/** Judges a segment's definition without saving it. To be registered before the paths that take a segment's id. */
export function registerSegmentValidation(app: OpenAPIHono<Environment>, engine: Engine, bodyBytes: number): void {
  app.post('/api/segments/validate', limitBody(bodyBytes), async (context) =>
    context.json(await engine.validateSegment(await readJson(context))),
  )
}
