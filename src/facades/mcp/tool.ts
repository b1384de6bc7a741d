import type * as z from 'zod'
import type { AskOptions, Engine } from '../../engine/engine.ts'
import type { ParameterDefinition } from '../presentation/parameters.ts'
import type { RawRequest } from '../presentation/raw-request.ts'

/** What a tool is asked with: its own arguments, and those that the engine reads and judges. */
export interface ToolCall<Own> {
  readonly own: Own
  readonly request: RawRequest
  readonly engine: Engine
  /** Until when it is asked, who is told what an answer shows, and whether the caller sees numbers only. */
  readonly options: AskOptions
  /** Where the page for people is; undefined where that is not known. */
  readonly page: string | undefined
}

/** A tool as it is written down. */
interface ToolSource<Shape extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Arguments of its own. */
  readonly own: Shape
  /** Arguments that go to the engine unread, as they do from a query string. */
  readonly parameters: readonly ParameterDefinition[]
  /** The answer as text. AppError for what the caller must know. */
  run(call: ToolCall<z.output<z.ZodObject<Shape>>>): Promise<string>
}

/** A tool that a model may call. None changes anything. */
export interface Tool extends Omit<ToolSource<z.ZodRawShape>, 'run'> {
  run(call: ToolCall<Readonly<Record<string, unknown>>>): Promise<string>
}

/** A tool whose own arguments have the types of its schemas: it is called only with what they have read. */
export function defineTool<const Shape extends z.ZodRawShape>(source: ToolSource<Shape>): Tool {
  return Object.freeze({
    ...source,
    run: (call: ToolCall<Readonly<Record<string, unknown>>>) => source.run(call as ToolCall<z.output<z.ZodObject<Shape>>>),
  })
}
