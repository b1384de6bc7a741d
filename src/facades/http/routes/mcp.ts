import { createRoute, z } from '@hono/zod-openapi'
import { once } from '../../../core/async.ts'
import { isObject } from '../../../core/json.ts'
import type { AskOptions, Engine } from '../../../engine/engine.ts'
import { toolsOf } from '../../mcp/tools/index.ts'
import { askOptions } from '../access/ask-options.ts'
import { limitBody, readJson } from '../body.ts'
import type { RequestContext } from '../environment.ts'
import { ERROR, errorResponses } from '../openapi/errors.ts'
import { pickHeaders } from '../openapi/headers.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

/** What the tools are served with. */
interface McpRouteOptions {
  readonly version: string
  readonly bodyBytes: number
  /** What stands before the paths of the page for people; undefined where there is no page. */
  readonly pagePath: string | undefined
  /** Where people reach the page; if absent, where each request came. */
  readonly publicOrigin: string | undefined
  readonly onFailure: (error: unknown, context: RequestContext) => void
}

const id = z.union([z.string(), z.int()])
const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.optional().describe('Absent: a notification, which has no answer'),
    method: z.string().describe('`initialize`, `tools/list`, `tools/call` or another method of the protocol'),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A message of the Model Context Protocol, JSON-RPC 2.0' })

const failure = z.looseObject({ code: z.int(), message: z.string() })
const reply = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: id.nullable().optional(),
    result: z.looseObject({}).optional(),
    error: failure.optional(),
  })
  .meta({
    id: 'McpReply',
    description: 'The answer to a message: `result` or `error`. A tool that refuses says so in its result, `isError`',
  })

const messages = createRoute({
  tags: ['Models'],
  method: 'post',
  path: '/mcp',
  operationId: 'mcp',
  summary: 'Tools for language models',
  description:
    'Model Context Protocol over streamable HTTP, without sessions and without streams. The tools only read: summary, any metric, fields, ' +
    'definitions, customers, subscriptions, invoices and segments.',
  request: { body: jsonBody(message) },
  responses: {
    200: jsonResponse('The answer', z.union([reply, z.array(reply)])),
    202: { description: 'Taken: a notification has no answer', headers: pickHeaders('x-request-id') },
    ...errorResponses(['payload_too_large', 'validation_failed', 'internal']),
    400: jsonResponse(
      '`invalid_json`: The body is not JSON. `invalid_value`: The version of the protocol is not known. `error` to clients of revision 2026-07-28.',
      z.union([ERROR, reply]),
    ),
    404: jsonResponse('To clients of revision 2026-07-28: there is no such method', reply),
  },
})

/** The tools over HTTP. What they are made with is loaded at the first message. */
export function registerMcp(app: App, engine: Engine, options: McpRouteOptions): void {
  const { version, bodyBytes, pagePath, publicOrigin, onFailure } = options
  const answering = once(() => import('../../mcp/http.ts'))
  const tools = toolsOf(engine)
  serve(
    app,
    messages,
    async (context) => {
      const body = await readJson(context)
      context.set('query', `mcp.${toolIn(body, tools) ?? 'message'}`)
      const { answerMcp } = await answering()
      const response = await answerMcp(context.req.raw, body, {
        engine,
        tools,
        version,
        page: pagePath === undefined ? undefined : `${publicOrigin ?? new URL(context.req.url).origin}${pagePath}`,
        asking: requestOriginOf(context),
        onFailure: (error) => onFailure(error, context),
      })
      // The protocol has written it; to the compiler that could be any response.
      return response as never
    },
    limitBody(bodyBytes),
  )
}

// What one tool of several shows counts for all of them; one that is refused, whose answer is no refusal of the request, shows nothing.
function requestOriginOf(context: RequestContext): AskOptions {
  const { disclosing, ...options } = askOptions(context)
  context.set('discloses', false)
  return {
    ...options,
    disclosing(names) {
      const before = context.get('discloses') === true
      let isRefused = true
      try {
        disclosing?.(names)
        isRefused = false
      } finally {
        context.set('discloses', before || (!isRefused && names.length > 0))
      }
    },
  }
}

// Of the names that are known, as the log keeps nothing that a client has made up.
function toolIn(body: unknown, tools: ReturnType<typeof toolsOf>): string | undefined {
  const params = isObject(body) ? body['params'] : undefined
  return tools.find(({ name }) => isObject(params) && params['name'] === name)?.name
}
