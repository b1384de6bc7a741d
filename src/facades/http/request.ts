import type { Issue } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { explainedOnlyInJson, mustBe, QUERY_PARAMETERS, STAGED_PARAMETERS, unknownFields } from '../presentation/parameters.ts'
import { type RawRequest, rawRequest } from '../presentation/raw-request.ts'
import { acceptedFormat, FORMATS, type Format } from './accept.ts'
import { readJson, shapeIssue } from './body.ts'
import type { RequestContext } from './environment.ts'

/** The query string, unparsed. A repeated parameter is a list. */
export function parametersOf(context: RequestContext): Readonly<Record<string, unknown>> {
  const given = Object.entries(context.req.queries())
  return Object.fromEntries(given.map(([name, values]) => [name, new Set(values).size === 1 ? values[0] : values]))
}

/** A request for a metric: the input of the engine, and the format of the response. */
export interface MetricRequest extends RawRequest {
  readonly format: Format
}

/** The request of a query string. */
export function fromQuery(context: RequestContext): MetricRequest {
  const raw = rawRequest(new URL(context.req.url).searchParams)
  const format = chooseFormat(raw.params['format'], context)
  return { ...raw, issues: [...raw.issues, ...explainedOnlyInJson(raw.params, format)], format }
}

/** The request of a JSON body `{params?, spec?}`. Only `format` is read from the query string. */
export async function fromBody(context: RequestContext): Promise<MetricRequest> {
  const { format: fromUrl, ...foreign } = Object.fromEntries(new URL(context.req.url).searchParams)
  const issues: Issue[] = Object.entries(foreign).map(([name, value]) => unknownQueryParameter(name, value))
  const body = await readJson(context)
  if (!isObject(body))
    return { params: {}, spec: {}, issues: [...issues, shapeIssue('body', mustBe('body', 'an object', body))], format: 'json' }
  const unknown = Object.keys(body).filter((name) => name !== 'params' && name !== 'spec')
  issues.push(...unknownFields('body', unknown, ['params', 'spec']))
  const given = Object.entries(objectField(body, 'params', issues))
  const unknownNames = given.map(([name]) => name).filter((name) => !isParameter(name))
  issues.push(...unknownFields('params', unknownNames, QUERY_PARAMETERS))
  const known = given.filter(([name]) => isParameter(name))
  const params = Object.fromEntries([...known, ...(fromUrl === undefined ? [] : [['format', fromUrl] as const])])
  const format = chooseFormat(params['format'], context)
  issues.push(...explainedOnlyInJson(params, format))
  return { params, spec: objectField(body, 'spec', issues), issues, format }
}

// The engine refuses an unknown format, so the fallback does not matter.
function chooseFormat(given: unknown, context: RequestContext): Format {
  return given === undefined ? acceptedFormat(context) : (FORMATS.find((format) => format === given) ?? 'json')
}

function isParameter(name: string): boolean {
  return QUERY_PARAMETERS.includes(name) || STAGED_PARAMETERS.includes(name)
}

function unknownQueryParameter(name: string, value: unknown): Issue {
  const message = `Unknown parameter "${name}": a POST has its parameters in the body.`
  return { code: 'invalid_value', where: `query.${name}`, value, message, did_you_mean: [] }
}

function objectField(body: Readonly<Record<string, unknown>>, name: string, issues: Issue[]): Readonly<Record<string, unknown>> {
  const field = Object.hasOwn(body, name) ? body[name] : undefined
  if (field === undefined) return {}
  if (isObject(field)) return field
  issues.push(shapeIssue(name, mustBe(name, 'an object', field)))
  return {}
}
