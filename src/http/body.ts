import { AppError, errorFromIssues, type Issue } from '../core/errors.ts'
import type { RequestContext } from './environment.ts'

const MAX_DEPTH = 64
/** Names in one object: several times what any body can use, and little enough to be looked at. */
const MAX_NAMES = 1_000

/** The request's JSON value; an empty body is `{}`. AppError `invalid_json`, or `validation_failed` for absurd nesting and objects of very many names. */
export async function readJson(context: RequestContext): Promise<unknown> {
  const bytes = await context.req.arrayBuffer()
  if (bytes.byteLength === 0) return {}
  const body = parse(bytes)
  const fault = shapeFault(body)
  if (fault !== undefined) throw errorFromIssues([shapeIssue('body', fault)])
  return body
}

/** A `validation_failed` issue at a place of the body. */
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

// With a list of its own instead of recursion: a megabyte of brackets would exhaust the stack.
function shapeFault(root: unknown): string | undefined {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels.`
    const inner = level.map((node) => (typeof node === 'object' && node !== null ? Object.values(node) : []))
    const crowded = inner.find((members, index) => members.length > MAX_NAMES && !Array.isArray(level[index]))
    if (crowded !== undefined) return `An object of the body has ${crowded.length} names; the limit is ${MAX_NAMES}.`
    level = inner.flat()
  }
  return undefined
}
