import { type Issue, suggest } from '../core/errors.ts'
import { type RawRequest, rawRequest } from '../engine/facade/raw-request.ts'
import { acceptedFormat, type Format } from './answer.ts'
import { readJson, shapeIssue } from './body.ts'
import type { RequestContext } from './environment.ts'

/** A request for a metric: what the engine gets, and the format that the facade itself keeps. */
export interface MetricRequest extends RawRequest {
  readonly format: Format
}

const FORMATS: readonly string[] = ['json', 'csv']

/** Request from a query string. */
export function fromQuery(context: RequestContext): MetricRequest {
  const raw = rawRequest(new URL(context.req.url).searchParams)
  const { format, ...params } = raw.params
  const chosen = chooseFormat(format, context, 'params.format')
  return { params, spec: raw.spec, issues: [...raw.issues, ...chosen.issues], format: chosen.format }
}

/** Request from a JSON body `{params?, spec?}`; of the query string only `format` counts. */
export async function fromBody(context: RequestContext): Promise<MetricRequest> {
  const { format: queryFormat, ...unknownParams } = rawRequest(new URL(context.req.url).searchParams).params
  const issues: Issue[] = Object.entries(unknownParams).map(([name, value]) => unknownQueryParameter(name, value))
  const body = await readJson(context)
  if (!isObject(body)) return { params: {}, spec: {}, issues: [...issues, shapeIssue('body', 'The body is an object.')], format: 'json' }
  for (const name of Object.keys(body)) {
    if (name !== 'params' && name !== 'spec') issues.push(shapeIssue(`body.${name}`, `Unknown field "${name}": the body has params and spec.`))
  }
  const { format: bodyFormat, ...params } = objectField(body, 'params', issues)
  const spec = objectField(body, 'spec', issues)
  const chosen = queryFormat === undefined ? chooseFormat(bodyFormat, context, 'params.format') : chooseFormat(queryFormat, context, 'query.format')
  return { params, spec, issues: [...issues, ...chosen.issues], format: chosen.format }
}

function chooseFormat(given: unknown, context: RequestContext, where: string): { format: Format; issues: readonly Issue[] } {
  if (given === undefined || given === null) return { format: acceptedFormat(context), issues: [] }
  if (given === 'json' || given === 'csv') return { format: given, issues: [] }
  const message = 'The format is json or csv.'
  const did_you_mean = typeof given === 'string' ? suggest(given, FORMATS) : []
  return { format: 'json', issues: [{ code: 'invalid_value', where, value: given, message, did_you_mean }] }
}

function unknownQueryParameter(name: string, value: unknown): Issue {
  const message = `Unknown parameter "${name}": a POST takes its parameters in the body.`
  return { code: 'invalid_value', where: `query.${name}`, value, message, did_you_mean: [] }
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
