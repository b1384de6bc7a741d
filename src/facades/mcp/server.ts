import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { isObject } from '../../core/json.ts'
import type { AskOptions, Engine } from '../../engine/engine.ts'
import { argumentNames, inputSchema, readArguments } from './arguments.ts'
import { errorText } from './error-text.ts'
import type { Tool } from './tool.ts'

const INSTRUCTIONS =
  'Subscription metrics straight from the billing database, which is never written to. Amounts are decimal units of the named currency. Rates are ' +
  'fractions. Days are UTC, or those of the option time_zone. Ranges include both ends. Start with `summary` or `query_metric`. Errors list the allowed values.'

/** Options of an MCP server. */
export interface McpOptions {
  readonly engine: Engine
  readonly tools: readonly Tool[]
  readonly version: string
  /** URL of the dashboard, without a trailing slash. Undefined if unknown. */
  readonly page?: string | undefined
  /** Engine options of each query. Its signal ends the query, like a cancellation by the client. */
  readonly askOptions: AskOptions
  /** Called with unexpected errors. The client sees only that something failed. */
  readonly onFailure: (error: unknown) => void
}

/**
 * An MCP server for one transport, for all revisions of the protocol. The engine validates arguments and reports all issues at once.
 */
export function createMcpServer(options: McpOptions): Server {
  const { tools, version } = options
  const info = { name: 'plumbline', title: 'Plumbline', version }
  const server = new Server(info, { instructions: INSTRUCTIONS, capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describedTool) }))
  // No `tools/call` handler: with one, the library itself would validate the arguments and write the errors.
  server.fallbackRequestHandler = async ({ method, params = {} }, { mcpReq }) => {
    if (method !== 'tools/call') throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
    const tool = tools.find(({ name }) => name === params['name'])
    if (tool === undefined) throw invalidParams(`Unknown tool. Available tools: ${namesOf(tools)}.`)
    return callTool(tool, givenTo(tool, params['arguments']), mcpReq.signal, options)
  }
  return server
}

function givenTo(tool: Tool, given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {}
  if (isObject(given)) return given
  const names = argumentNames(tool)
  const allowed = names.length === 0 ? `${tool.name} has no arguments` : `${tool.name} has the arguments ${names.join(', ')}`
  throw invalidParams(`Arguments must be an object of values by name: ${allowed}.`)
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
  { engine, page, askOptions, onFailure }: McpOptions,
) {
  const either = AbortSignal.any([left, askOptions.signal ?? left])
  const options = { ...askOptions, signal: either }
  try {
    const text = await tool.run({ ...readArguments(tool, given), engine, page, options })
    return { content: [{ type: 'text' as const, text }] }
  } catch (error) {
    if (!either.aborted) onFailure(error)
    return { content: [{ type: 'text' as const, text: errorText(error) }], isError: true }
  }
}

function namesOf(tools: readonly Tool[]): string {
  return tools.map(({ name }) => name).join(', ')
}
