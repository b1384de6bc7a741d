import { bodyLimit } from 'hono/body-limit'
import { AppError, errorFromIssues, type Issue } from '../../core/errors.ts'
import { shapeFault } from '../../core/json.ts'
import type { Middleware, RequestContext } from './environment.ts'
import type { BodyTypes } from './guard-writes.ts'
import { routeOf } from './paths.ts'

/** The JSON body. An empty body is `{}`. AppError `invalid_json`, or `validation_failed` for too deep nesting or too many names or values. */
export async function readJson(context: RequestContext): Promise<unknown> {
  const bytes = await context.req.arrayBuffer()
  if (bytes.byteLength === 0) return {}
  const fault = shapeFault(new Uint8Array(bytes))
  if (fault !== undefined) throw errorFromIssues([shapeIssue('body', fault)])
  return parse(bytes)
}

/** A `validation_failed` issue. `where` is the path in the body. */
export function shapeIssue(where: string, message: string): Issue {
  return { code: 'validation_failed', where, message, did_you_mean: [] }
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new AppError('invalid_json', 'The body is not valid JSON in UTF-8.', {
      cause,
      issues: [{ code: 'invalid_json', where: 'body', message: 'The body is not valid JSON in UTF-8.', did_you_mean: [] }],
    })
  }
}

/** Refuses a JSON body above `bytes`, where the document has one. AppError `payload_too_large`. */
export function limitBodies(bytes: number, bodyTypes: BodyTypes): Middleware {
  const limited = bodyLimit({
    maxSize: bytes,
    onError: () => {
      throw new AppError('payload_too_large', `The body is larger than ${bytes} bytes.`, { context: { limit_bytes: bytes } })
    },
  })
  return (context, next) => {
    const { method, path } = routeOf(context) ?? { method: '', path: '' }
    const takesJson = method === context.req.method && bodyTypes(method, path).includes('application/json')
    return takesJson ? limited(context, next) : next()
  }
}
