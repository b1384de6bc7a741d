import { type Issue, suggest } from '../core/errors.ts'
import { SINGLE_PARAMETERS, STAGED_PARAMETERS, unknownField } from '../engine/facade/parameters.ts'
import { type RawRequest, rawRequest } from '../engine/facade/raw-request.ts'
import { acceptedFormat, type Format } from './answer.ts'
import { readJson, shapeIssue } from './body.ts'
import type { RequestContext } from './environment.ts'

/** A request for a metric: what the engine gets, and the format that the facade itself acts on. */
export interface MetricRequest extends RawRequest {
  readonly format: Format
}

/** Request from a query string. */
export function fromQuery(context: RequestContext): MetricRequest {
  const raw = rawRequest(new URL(context.req.url).searchParams)
  return { ...raw, format: chooseFormat(raw.params['format'], context) }
}

/** Request from a JSON body `{params?, spec?}`; of the query string only `format` counts. `params.segment` means `spec.segment`. */
export async function fromBody(context: RequestContext): Promise<MetricRequest> {
  const { format: fromUrl, ...foreign } = Object.fromEntries(new URL(context.req.url).searchParams)
  const issues: Issue[] = Object.entries(foreign).map(([name, value]) => unknownQueryParameter(name, value))
  const body = await readJson(context)
  if (!isObject(body))
    return { params: {}, spec: {}, issues: [...issues, shapeIssue('body', 'The body is an object.')], format: 'json' }
  const unknown = Object.keys(body).filter((name) => name !== 'params' && name !== 'spec')
  issues.push(...unknownFields('body', unknown, ['params', 'spec']))
  const given = objectField(body, 'params', issues)
  const { segment, ...others } = given
  const known = Object.entries(others).filter(([name]) => isParameter(name))
  const strange = Object.keys(others).filter((name) => !isParameter(name))
  issues.push(...unknownFields('params', strange, SINGLE_PARAMETERS))
  const params = Object.fromEntries([...known, ...(fromUrl === undefined ? [] : [['format', fromUrl] as const])])
  const spec = withSegment(objectField(body, 'spec', issues), segment, issues)
  return { params, spec, issues, format: chooseFormat(params['format'], context) }
}

function withSegment(spec: RawRequest['spec'], segment: unknown, issues: Issue[]): RawRequest['spec'] {
  if (segment === undefined || segment === null || segment === '') return spec
  const { segment: own } = spec
  if (own === undefined || own === null || own === '' || own === segment) return { ...spec, segment }
  const message = 'The segment is given twice with different values: here and in "spec.segment".'
  issues.push({ code: 'invalid_value', where: 'params.segment', value: segment, message, did_you_mean: [] })
  return spec
}

// What is neither is refused by the engine, so which one is taken does not matter then.
function chooseFormat(given: unknown, context: RequestContext): Format {
  return given === 'json' || given === 'csv' ? given : acceptedFormat(context)
}

function isParameter(name: string): boolean {
  return SINGLE_PARAMETERS.some((known) => known === name) || STAGED_PARAMETERS.includes(name)
}

function unknownQueryParameter(name: string, value: unknown): Issue {
  const message = `Unknown parameter "${name}": a POST takes its parameters in the body.`
  return { code: 'invalid_value', where: `query.${name}`, value, message, did_you_mean: [] }
}

// Suggestions for the first few only: a body may hold a hundred thousand names.
function unknownFields(parent: string, names: readonly string[], known: readonly string[]): Issue[] {
  return names.map((name, index) => ({
    code: 'validation_failed',
    where: `${parent}.${name}`,
    value: name,
    message: unknownField(name),
    did_you_mean: index < 100 ? suggest(name, known) : [],
  }))
}

function objectField(body: Readonly<Record<string, unknown>>, name: string, issues: Issue[]): Readonly<Record<string, unknown>> {
  const field = Object.hasOwn(body, name) ? body[name] : undefined
  if (field === undefined || field === null) return {}
  if (isObject(field)) return field
  issues.push(shapeIssue(name, `"${name}" is an object.`))
  return {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
