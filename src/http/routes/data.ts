import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine, ListName } from '../../engine/engine.ts'
import { askOperation } from '../../engine/facade/ask.ts'
import { dataResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import type { Environment } from '../environment.ts'
import { fromQuery } from '../request.ts'

const LISTS: readonly ListName[] = ['customers', 'subscriptions', 'invoices']

/** The billing engine's records: three lists, and one customer with what it has. */
export function registerData(app: OpenAPIHono<Environment>, engine: Engine): void {
  for (const name of LISTS) {
    app.get(`/api/${name}`, conditional(), async (context) => {
      context.set('query', `data.${name}`)
      const request = fromQuery(context)
      const answer = await askOperation((params, spec, options) => engine.list(name, params, spec, options), request, {
        signal: context.req.raw.signal,
      })
      return dataResponse(answer, request.format)
    })
  }
  app.get('/api/customers/:id', conditional(), async (context) => {
    context.set('query', 'data.customer')
    const request = fromQuery(context)
    const id = context.req.param('id')
    const answer = await askOperation((params, spec, options) => engine.customer(id, params, spec, options), request, {
      signal: context.req.raw.signal,
    })
    return dataResponse(answer, request.format)
  })
}
