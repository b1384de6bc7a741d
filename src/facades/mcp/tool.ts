import type * as z from 'zod'
import type { AskOptions, Engine } from '../../engine/engine.ts'
import type { ParameterDefinition } from '../presentation/parameters.ts'
import type { RawRequest } from '../presentation/raw-request.ts'

/** Input of a tool: its own arguments, and those for the engine. */
export interface ToolCall<Own> {
  readonly own: Own
  readonly request: RawRequest
  readonly engine: Engine
  /** Engine options of the call: signal, disclosure callback, and whether the caller sees totals only. */
  readonly options: AskOptions
  /** URL of the dashboard. Undefined if unknown. */
  readonly page: string | undefined
}

/** The definition of a tool. */
interface ToolSource<Shape extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The tool's own arguments. */
  readonly own: Shape
  /** Arguments that are passed to the engine unparsed, like a query string. */
  readonly parameters: readonly ParameterDefinition[]
  /** The answer as text. AppError for errors of the caller. */
  run(call: ToolCall<z.output<z.ZodObject<Shape>>>): Promise<string>
}

/** A tool that a model can call. All tools are read-only. */
export interface Tool extends Omit<ToolSource<z.ZodRawShape>, 'run'> {
  run(call: ToolCall<Readonly<Record<string, unknown>>>): Promise<string>
}

/**
 * Defines a tool. The tool's own arguments have the types of their schemas, because the tool is called only with parsed values.
 */
export function defineTool<const Shape extends z.ZodRawShape>(source: ToolSource<Shape>): Tool {
  return Object.freeze({
    ...source,
    run: (call: ToolCall<Readonly<Record<string, unknown>>>) => source.run(call as ToolCall<z.output<z.ZodObject<Shape>>>),
  })
}
