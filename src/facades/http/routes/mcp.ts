import { createRoute, z } from '@hono/zod-openapi'
import { isObject } from '../../../core/json.ts'
import { onDemand } from '../../../core/on-demand.ts'
import type { AskOptions, Engine } from '../../../engine/engine.ts'
import { toolsOf } from '../../mcp/tools/index.ts'
import { askOptions } from '../access/ask-options.ts'
import { readJson } from '../body.ts'
import type { RequestContext } from '../environment.ts'
import { ERROR, errorResponses } from '../openapi/errors.ts'
import { pickHeaders } from '../openapi/headers.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'

/** Options of the MCP route. */
interface McpRouteOptions {
  readonly version: string
  /** Path prefix of the dashboard. Undefined if it is not served. */
  readonly pagePath: string | undefined
  /** Public origin of the dashboard. Default: the origin of each request. */
  readonly publicOrigin: string | undefined
  readonly onFailure: (error: unknown, context: RequestContext) => void
}

const id = z.union([z.string(), z.int()])
const message = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: id.optional().describe('Absent for a notification, which gets no reply'),
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
    description: 'The reply to a message: `result` or `error`. If a tool refuses, its result has `isError`',
  })

const messages = createRoute({
  tags: ['Models'],
  method: 'post',
  path: '/mcp',
  operationId: 'mcp',
  summary: 'Send an MCP message',
  description:
    'Model Context Protocol over streamable HTTP, without sessions and streams. All tools are read-only: summary, metrics, fields, ' +
    'definitions, customers, subscriptions, invoices and segments.',
  request: { body: jsonBody(message) },
  responses: {
    200: jsonResponse('The reply', z.union([reply, z.array(reply)])),
    202: { description: 'Accepted: a notification gets no reply', headers: pickHeaders('x-request-id') },
    ...errorResponses(['payload_too_large', 'validation_failed', 'internal']),
    400: jsonResponse(
      '`invalid_json`: The body is not valid JSON. `invalid_value`: The protocol version is unknown. Clients of revision 2026-07-28 get `error`.',
      z.union([ERROR, reply]),
    ),
    404: jsonResponse('For clients of revision 2026-07-28: unknown method', reply),
  },
})

const mcpProgram = onDemand(() => import('../../mcp/http.ts'))

/** The tools over HTTP. */
export function registerMcp(app: App, engine: Engine, options: McpRouteOptions): void {
  const { version, pagePath, publicOrigin, onFailure } = options
  const tools = toolsOf(engine)
  serve(app, messages, async (context) => {
    const body = await readJson(context)
    context.set('query', `mcp.${toolIn(body, tools) ?? 'message'}`)
    const { answerMcp } = await mcpProgram()
    const response = await answerMcp(context.req.raw, body, {
      engine,
      tools,
      version,
      page: pagePath === undefined ? undefined : `${publicOrigin ?? new URL(context.req.url).origin}${pagePath}`,
      askOptions: toolOptions(context),
      onFailure: (error) => onFailure(error, context),
    })
    // The MCP library writes the response, so the compiler cannot check its type.
    return response as never
  })
}

// A request discloses customers if one of its tools does. A refused tool discloses nothing, although its request succeeds.
function toolOptions(context: RequestContext): AskOptions {
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

// Only known names: the log never contains text that a client made up.
function toolIn(body: unknown, tools: ReturnType<typeof toolsOf>): string | undefined {
  const params = isObject(body) ? body['params'] : undefined
  return tools.find(({ name }) => isObject(params) && params['name'] === name)?.name
}
