import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer, type McpOptions } from './server.ts'

/** Answers one message, or a list of them, that came by HTTP; `body` is what was read of it. Nothing is kept between two requests. */
export async function answerMcp(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  const server = createMcpServer(options)
  // Answers are short and come at once, so they need no stream.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(acceptingAll(request), { parsedBody: body })
  } finally {
    await server.close()
  }
}

// A client that does not say that it would take a stream, too, gets what it can take.
function acceptingAll({ url, method, headers, signal }: Request): Request {
  const accepting = new Headers(headers)
  accepting.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method, headers: accepting, signal })
}
