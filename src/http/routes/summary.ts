import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import { askOperation } from '../../engine/facade/ask.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import type { Environment } from '../environment.ts'
import { MethodNotAllowed } from '../errors.ts'
import { fromQuery } from '../request.ts'

const PATH = '/api/metrics/summary'

/** The headline figures. To be registered before the metrics, whose generic POST would take the path for a metric's. */
export function registerSummary(app: OpenAPIHono<Environment>, engine: Engine): void {
  app.get(PATH, conditional(), async (context) => {
    context.set('query', 'summary')
    const request = fromQuery(context)
    const answer = await askOperation((params, spec, options) => engine.summary(params, spec, options), request, {
      signal: context.req.raw.signal,
    })
    return answerResponse(answer, request.format)
  })
  app.all(PATH, (context) => {
    throw new MethodNotAllowed(context.req.method, ['GET', 'HEAD'])
  })
}
