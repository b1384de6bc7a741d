import * as z from 'zod'
import { errorFromIssues, type Issue, suggest } from '../core/errors.ts'
import { isStorable } from '../core/text.ts'
import { MOST_SUGGESTED, mustBe } from './issues.ts'

/** A body in the shape of the schema; unknown fields are left out unless it refuses them. AppError `validation_failed` with every issue (http-api.md 1.8). */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const issues = bodyIssues(schema, body)
  if (issues.length > 0) throw errorFromIssues(issues)
  return schema.parse(body)
}

/** What keeps a body from the shape of the schema. */
export function bodyIssues(schema: z.ZodType, body: unknown): readonly Issue[] {
  const { error } = schema.safeParse(body)
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name, index) =>
          unknownIssue([...issue.path, name], issue.path.length > 0 ? [] : known, index < MOST_SUGGESTED),
        )
      : [bodyIssue(issue.path, issue.message)],
  )
}

function unknownIssue(path: readonly PropertyKey[], known: readonly string[], isNear: boolean): Issue {
  const name = String(path.at(-1))
  const issue = bodyIssue(path, `Unknown field "${name}"${known.length === 0 ? '' : `; known fields are ${known.join(', ')}`}.`)
  return isNear ? { ...issue, did_you_mean: suggest(name, known) } : issue
}

/** An issue at a place of the body. */
export function bodyIssue(path: readonly PropertyKey[], message: string): Issue {
  return { code: 'validation_failed', where: ['body', ...path.map(String)].join('.'), message, did_you_mean: [] }
}

/** Text of a record: what every store can hold, `from` to `to` characters. */
export function textField(name: string, from: number, to: number) {
  const error = refusal(name, `text of ${from} to ${to} characters`)
  return z.string({ error }).refine((text) => [...text].length >= from && [...text].length <= to && isStorable(text), { error })
}

/** Message of a schema: what a field must be and what was given. */
export function refusal(name: string, what: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => mustBe(name, what, input)
}

/** Schema of an object body. */
export function objectBody<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape, { error: 'The body must be a JSON object.' })
}

/** Schema of an object body in which an unknown field is refused: what is misspelt would be lost without a word. */
export function closedBody<T extends z.ZodRawShape>(shape: T) {
  return objectBody(shape).strict()
}
