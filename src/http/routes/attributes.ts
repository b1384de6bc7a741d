import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import { readJson } from '../body.ts'
import type { Environment, RequestContext } from '../environment.ts'
import { limitBody } from '../limit-body.ts'
import { readUpload } from '../upload.ts'

/** What is known of customers beyond the billing engine's accounts. */
export function registerAttributes(
  app: OpenAPIHono<Environment>,
  { attributes }: Pick<Engine, 'attributes'>,
  limits: { readonly body_bytes: number; readonly csv_bytes: number },
): void {
  const limited = limitBody(limits.body_bytes)
  app.get('/api/attributes', async (context) => context.json(await attributes.list()))
  app.post('/api/attributes', limited, async (context) => {
    const { isNew, attribute } = await attributes.declare(await readJson(context))
    return context.json(attribute, isNew ? 201 : 200)
  })
  app.post('/api/attributes/import', async (context) =>
    context.json(await readUpload(context, limits.csv_bytes, (file, options) => attributes.import(file, options))),
  )
  app.put('/api/attributes/:key', limited, async (context) => {
    const attribute = await attributes.update(context.req.param('key'), await readJson(context))
    return context.json({ status: 'updated', ...attribute })
  })
  app.get('/api/attributes/:key/values', async (context) =>
    context.json(await attributes.values(context.req.param('key'), parametersOf(context))),
  )
  app.get('/api/customer-attributes', async (context) => context.json(await attributes.page(parametersOf(context))))
  app.post('/api/customers/:id/attributes', limited, async (context) => {
    const body = await readJson(context)
    return context.json(await attributes.set(context.req.param('id'), body, parametersOf(context)))
  })
  app.delete('/api/customers/:id/attributes/:key', async (context) => {
    const { id, key } = context.req.param()
    await attributes.remove(id, key, parametersOf(context))
    return context.json({ status: 'deleted' })
  })
}

/** The query string; a parameter given more than once is a list. */
function parametersOf(context: RequestContext): Readonly<Record<string, unknown>> {
  const given = Object.entries(context.req.queries())
  return Object.fromEntries(given.map(([name, values]) => [name, new Set(values).size === 1 ? values[0] : values]))
}
