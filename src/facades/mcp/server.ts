import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { AppError, ConfigurationError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import type { AskOptions, Engine } from '../../engine/engine.ts'
import { argumentNames, inputSchema, readArguments } from './arguments.ts'
import { errorText } from './error-text.ts'
import type { Tool } from './tool.ts'

const INSTRUCTIONS =
  'Subscription figures read straight from the billing database, never written to. Amounts are decimal units of the currency named beside them, ' +
  'rates are fractions, days are UTC and ranges include both ends. Start with `summary` or `query_metric`; a refusal says what is allowed.'

/** What a server of tools answers with. */
export interface McpOptions {
  readonly engine: Engine
  readonly tools: readonly Tool[]
  readonly version: string
  /** Address of the page for people, without a slash at its end; undefined where that is not known. */
  readonly page?: string | undefined
  /** What each question is asked with; its signal ends it, beside the client's own cancellation. */
  readonly asking: AskOptions
  /** Told of what is no refusal: such an answer says only that something failed. */
  readonly onFailure: (error: unknown) => void
}

/**
 * A server of the Model Context Protocol to be connected to one transport, whichever revision the client speaks. Arguments are judged by the
 * engine, all that is wrong at once.
 */
export function createMcpServer(options: McpOptions): Server {
  const { tools, version } = options
  const info = { name: 'plumbline', title: 'Plumbline', version }
  const server = new Server(info, { instructions: INSTRUCTIONS, capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describedTool) }))
  // A handler of `tools/call` by name would get only what the library has judged, and refused in its own words.
  server.fallbackRequestHandler = async ({ method, params = {} }, { mcpReq }) => {
    if (method !== 'tools/call') throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
    const tool = tools.find(({ name }) => name === params['name'])
    if (tool === undefined) throw invalidParams(`Unknown tool; there are ${namesOf(tools)}.`)
    return callTool(tool, givenTo(tool, params['arguments']), mcpReq.signal, options)
  }
  return server
}

function givenTo(tool: Tool, given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {}
  if (isObject(given)) return given
  const names = argumentNames(tool)
  const allowed = names.length === 0 ? `${tool.name} takes none` : `those of ${tool.name} are ${names.join(', ')}`
  throw invalidParams(`The arguments of a tool are an object of values by name; ${allowed}.`)
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

function describedTool(tool: Tool) {
  const { name, title, description } = tool
  const annotations = { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  return { name, title, description, inputSchema: inputSchema(tool), annotations }
}

async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  left: AbortSignal,
  { engine, page, asking, onFailure }: McpOptions,
) {
  const either = AbortSignal.any([left, asking.signal ?? left])
  const options = { ...asking, signal: either }
  try {
    const text = await tool.run({ ...readArguments(tool, given), engine, page, options })
    return { content: [{ type: 'text' as const, text }] }
  } catch (error) {
    if (!isRefusal(error) && !either.aborted) onFailure(error)
    return { content: [{ type: 'text' as const, text: errorText(error) }], isError: true }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError || error instanceof ConfigurationError
}

function namesOf(tools: readonly Tool[]): string {
  return tools.map(({ name }) => name).join(', ')
}
