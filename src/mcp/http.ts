import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { type AppError, errorFromIssues } from '../core/errors.ts'
import { isObject } from '../core/is-object.ts'
import { createMcpServer, type McpOptions } from './server.ts'

/**
 * Answers one message, or a list of them, that came by HTTP; `body` is what was read of it. Nothing is kept between two requests. AppError
 * `validation_failed` for what is no message, `invalid_value` for a version of the protocol that is not known.
 */
export async function answerMcp(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  const server = createMcpServer(options)
  // Answers are short and come at once, so they need no stream.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(acceptingAll(request), { parsedBody: withoutCancellations(body) })
    if (response.status >= 400) throw refusalOf((await response.json()) as Refusal)
    return response
  } finally {
    await server.close()
  }
}

// What is cancelled gets no answer, for which the others of its list would wait for ever. A request that ends with its answer is cancelled by leaving.
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body
  return body.filter((message) => !isObject(message) || message['method'] !== 'notifications/cancelled')
}

interface Refusal {
  readonly error: { readonly code: number; readonly message: string }
}

// What is no message is refused like any other body; what does not fit the transport, such as its version, stands in a header.
function refusalOf({ error }: Refusal): AppError {
  const code =
    error.code === ErrorCode.ParseError || error.code === ErrorCode.InvalidRequest ? 'validation_failed' : 'invalid_value'
  return errorFromIssues([{ code, where: 'body', message: error.message, did_you_mean: [] }])
}

// A client that does not say that it would take a stream, too, gets what it can take.
function acceptingAll({ url, method, headers, signal }: Request): Request {
  const accepting = new Headers(headers)
  accepting.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method, headers: accepting, signal })
}
