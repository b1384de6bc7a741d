import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { type AppError, errorFromIssues } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { createMcpServer, type McpOptions } from './server.ts'

/** Most messages of one request. */
const MOST_MESSAGES = 20

/**
 * Answers one message or a list of them over HTTP. `body` is the parsed body. There is no state between requests. AppError `validation_failed`
 * for invalid messages, `invalid_value` for an unknown protocol version. Clients that describe themselves in each message (revision 2026-07-28
 * and later) get protocol errors with their status instead.
 */
export async function answerMcp(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  checkCount(body)
  const messages = withoutCancellations(body)
  checkIds(messages)
  const accepting = acceptingAll(request)
  const answer = (await isLegacyRequest(accepting, messages)) ? answerInitialized : answerDescribed
  return answer(accepting, messages, options)
}

/** For clients that begin with `initialize`. */
async function answerInitialized(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  const server = createMcpServer(options)
  // Answers are short, so they need no stream.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const response = await transport.handleRequest(request, { parsedBody: body })
    if (response.status >= 400) throw refusalOf(await errorIn(response))
    return response
  } finally {
    await server.close()
  }
}

/** For clients that send their revision and capabilities in each message. */
async function answerDescribed(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  // The server pushes nothing, so there are no subscriptions.
  const handler = createMcpHandler(() => createMcpServer(options), { legacy: 'reject', maxSubscriptions: 0 })
  const response = await handler.fetch(request, { parsedBody: body })
  if (response.status !== 400) return response
  const error = await errorIn(response.clone())
  // A message that fits no revision is an invalid message.
  if (isMalformed(error)) throw refusalOf(error)
  return response
}

// Every message of a list can be a query, and all replies are in one response.
function checkCount(body: unknown): void {
  if (!Array.isArray(body) || body.length <= MOST_MESSAGES) return
  const message = `The list has ${body.length} messages. The limit is ${MOST_MESSAGES}.`
  throw errorFromIssues([{ code: 'validation_failed', where: 'body', message, did_you_mean: [] }], { limit: MOST_MESSAGES })
}

// A cancelled request gets no reply, so the other replies of its list would wait forever. Over HTTP, a client cancels by disconnecting.
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body
  const others = body.filter((message) => !isObject(message) || message['method'] !== 'notifications/cancelled')
  return others.length === 0 ? body : others
}

// Clients match replies by id. If two requests had the same id, one reply would be lost.
function checkIds(body: unknown): void {
  if (!Array.isArray(body)) return
  const ids = body.filter((message) => isObject(message) && 'method' in message && 'id' in message).map(({ id }) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined)
    throw refused('validation_failed', `Two requests in the list have the id ${JSON.stringify(repeated)}.`)
}

const REFUSAL = z.object({ error: z.object({ code: z.int(), message: z.string() }) })
type Refusal = z.output<typeof REFUSAL>['error']

async function errorIn(response: Response): Promise<Refusal> {
  return REFUSAL.parse(await response.json()).error
}

function isMalformed({ code }: Refusal): boolean {
  return code === ProtocolErrorCode.ParseError || code === ProtocolErrorCode.InvalidRequest
}

// An invalid message is refused like any other body. Problems of the transport, such as its version, are in a header.
function refusalOf(error: Refusal): AppError {
  return refused(isMalformed(error) ? 'validation_failed' : 'invalid_value', error.message)
}

function refused(code: 'validation_failed' | 'invalid_value', message: string): AppError {
  return errorFromIssues([{ code, where: 'body', message, did_you_mean: [] }])
}

// The transport requires that the client accepts streams. The service never sends one, so the header is added.
function acceptingAll({ url, method, headers, signal }: Request): Request {
  const accepting = new Headers(headers)
  accepting.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method, headers: accepting, signal })
}
