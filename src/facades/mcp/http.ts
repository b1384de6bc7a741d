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
 * Answers one message, or a list of them, that came by HTTP; `body` is what was read of it. Nothing is kept between two requests. AppError
 * `validation_failed` for what is no message, `invalid_value` for a version of the protocol that is not known; clients that describe themselves
 * in each message, as from revision 2026-07-28 on, get refusals of the protocol as its errors, with their status.
 */
export async function answerMcp(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  checkCount(body)
  const messages = withoutCancellations(body)
  checkIds(messages)
  const accepting = acceptingAll(request)
  const answer = (await isLegacyRequest(accepting, messages)) ? answerInitialized : answerDescribed
  return answer(accepting, messages, options)
}

/** To clients that begin with `initialize`. */
async function answerInitialized(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  const server = createMcpServer(options)
  // Answers are short and come at once, so they need no stream.
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

/** To clients that say in each message which revision they speak and what they can. */
async function answerDescribed(request: Request, body: unknown, options: McpOptions): Promise<Response> {
  // Nothing is pushed, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => createMcpServer(options), { legacy: 'reject', maxSubscriptions: 0 })
  const response = await handler.fetch(request, { parsedBody: body })
  if (response.status !== 400) return response
  const error = await errorIn(response.clone())
  // What belongs to no revision is no message at all.
  if (isMalformed(error)) throw refusalOf(error)
  return response
}

// Every message may be a question of its own, and all of a list are answered in one response.
function checkCount(body: unknown): void {
  if (!Array.isArray(body) || body.length <= MOST_MESSAGES) return
  const message = `A list of ${body.length} messages; the limit is ${MOST_MESSAGES}.`
  throw errorFromIssues([{ code: 'validation_failed', where: 'body', message, did_you_mean: [] }], { limit: MOST_MESSAGES })
}

// What is cancelled gets no answer, for which the others of its list would wait for ever. A request that ends with its answer is cancelled by leaving.
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body
  const others = body.filter((message) => !isObject(message) || message['method'] !== 'notifications/cancelled')
  return others.length === 0 ? body : others
}

// Answers are told apart by these ids alone; with two alike one would be lost.
function checkIds(body: unknown): void {
  if (!Array.isArray(body)) return
  const ids = body.filter((message) => isObject(message) && 'method' in message && 'id' in message).map(({ id }) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined)
    throw refused('validation_failed', `Two requests of the list have the id ${JSON.stringify(repeated)}.`)
}

const REFUSAL = z.object({ error: z.object({ code: z.int(), message: z.string() }) })
type Refusal = z.output<typeof REFUSAL>['error']

async function errorIn(response: Response): Promise<Refusal> {
  return REFUSAL.parse(await response.json()).error
}

function isMalformed({ code }: Refusal): boolean {
  return code === ProtocolErrorCode.ParseError || code === ProtocolErrorCode.InvalidRequest
}

// What is no message is refused like any other body; what does not fit the transport, such as its version, stands in a header.
function refusalOf(error: Refusal): AppError {
  return refused(isMalformed(error) ? 'validation_failed' : 'invalid_value', error.message)
}

function refused(code: 'validation_failed' | 'invalid_value', message: string): AppError {
  return errorFromIssues([{ code, where: 'body', message, did_you_mean: [] }])
}

// A client that does not say that it would take a stream, too, gets what it can take.
function acceptingAll({ url, method, headers, signal }: Request): Request {
  const accepting = new Headers(headers)
  accepting.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method, headers: accepting, signal })
}
