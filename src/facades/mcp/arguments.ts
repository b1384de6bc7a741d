import * as z from 'zod'
import { errorFromIssues, type Issue, suggest } from '../../core/errors.ts'
import {
  mustBe,
  oneOf,
  type ParameterDefinition,
  type ParameterName,
  parameterAt,
  unknownFields,
} from '../presentation/parameters.ts'
import type { RawRequest } from '../presentation/raw-request.ts'
import { MOST_ROWS } from './table-text.ts'
import type { Tool } from './tool.ts'

/** The name of a metric. The engine refuses an unknown one, because it knows which metric has a query or figure of this name. */
export function metricArgument(names: readonly string[]) {
  return z.string({ error: ({ input }) => mustBe('metric', oneOf(names), input) }).meta({ enum: [...names] })
}

/** A text argument. */
export function textArgument(name: string) {
  return z.string({ error: ({ input }) => mustBe(name, 'text', input) })
}

/** An argument that is true or false. */
export function flagArgument(name: string) {
  return z.boolean({ error: ({ input }) => mustBe(name, 'true or false', input) })
}

/** An argument that is a whole number, 0 or more. */
export function countArgument(name: string) {
  const error = ({ input }: { readonly input?: unknown }) => mustBe(name, 'a whole number, 0 or more', input)
  return z.int({ error }).min(0, { error })
}

/** JSON schema of a tool's arguments, for models. */
type InputSchema = { readonly type: 'object'; readonly [key: string]: unknown }

/** The schema of a tool: its own arguments and the engine parameters. */
export function inputSchema({ own, parameters }: Tool): InputSchema {
  const shape = Object.fromEntries(
    parameters.map((parameter) => {
      const { name, description } = parameter
      const schema = schemaOf(parameter)
      return [name, (schema.description === undefined ? schema.describe(description) : schema).optional()]
    }),
  )
  const { $schema: _, ...schema } = z.toJSONSchema(z.strictObject({ ...own, ...shape }), { io: 'output', reused: 'inline' })
  return { ...schema, type: 'object' }
}

/** Names of all arguments of a tool. */
export function argumentNames({ own, parameters }: Pick<Tool, 'own' | 'parameters'>): readonly string[] {
  return [...Object.keys(own), ...parameters.map(({ name }) => name)]
}

/**
 * Splits the arguments into those of the tool and those of the engine. Null and empty text mean absent. The engine validates its arguments and
 * reports all issues at once. AppError `validation_failed` for the tool's own arguments.
 */
export function readArguments(
  { own, parameters }: Tool,
  given: Readonly<Record<string, unknown>>,
): { readonly own: Readonly<Record<string, unknown>>; readonly request: RawRequest } {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== '')
  const known = argumentNames({ own, parameters })
  const unknown = entries.map(([name]) => name).filter((name) => !known.includes(name))
  const read = z.object(own).safeParse(Object.fromEntries(entries.filter(([name]) => Object.hasOwn(own, name))))
  const issues = [
    ...unknownFields('arguments', unknown, known),
    ...(read.error?.issues ?? []).map((issue) => ownIssue(issue, given)),
  ]
  if (!read.success) throw errorFromIssues(issues)
  const placed = parameters.flatMap(({ name, places }) => {
    const value = entries.find(([key]) => key === name)?.[1]
    const [, part, field] = /^(params|spec)\.(.+)$/.exec(places[0]) ?? []
    return value === undefined || field === undefined ? [] : [{ part, field, value }]
  })
  const inside = (wanted: string) =>
    Object.fromEntries(placed.flatMap(({ part, field, value }) => (part === wanted ? [[field, value] as const] : [])))
  return { own: read.data, request: { params: inside('params'), spec: inside('spec'), issues } }
}

/** `where` of an issue as an argument name and the path inside it. */
export function whereInArguments(where: string): string {
  const name = parameterAt(where)?.name
  const inside = /^spec\.[^.]+\.(.+)$/.exec(where)?.[1]
  if (name !== undefined) return inside === undefined ? name : `${name}.${inside}`
  return where.replace(/^(params|spec|path|arguments)\./, '')
}

/** Descriptions of parameters whose form or limit differs from the query string. */
const WORDS: { readonly [Name in ParameterName]?: string } = {
  dimensions: 'Dimensions to group by. Customer attributes are `attr.<key>`.',
  compare_segments: 'Segments to compare, by id or exact name.',
  limit: `Number of rows, at most ${MOST_ROWS}.`,
  offset: 'Number of rows to skip. Default: 0.',
}

/** Parameters as arguments, without `format` and `money`, which a tool sets itself. */
export function argumentsOf(parameters: readonly ParameterDefinition[]): readonly ParameterDefinition[] {
  return parameters
    .filter(({ name }) => name !== 'format' && name !== 'money')
    .map((parameter) => ({ ...parameter, description: WORDS[parameter.name as ParameterName] ?? parameter.description }))
}

function schemaOf({ name, type, wire }: ParameterDefinition): z.ZodType {
  if (name === 'limit') return z.int().min(1).max(MOST_ROWS)
  if (type.field !== undefined) return type.field
  return wire === 'repeated' ? z.union([type.schema, z.array(type.schema)]) : type.schema
}

function ownIssue(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): Issue {
  const where = ['arguments', ...issue.path.map(String)].join('.')
  const value = given[String(issue.path[0])]
  const near = issue.code === 'invalid_value' && typeof value === 'string' ? suggest(value, issue.values.map(String)) : []
  return { code: 'validation_failed', where, message: issue.message, did_you_mean: near }
}
