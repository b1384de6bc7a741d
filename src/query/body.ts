import * as z from 'zod'
import { errorFromIssues, type Issue, suggest } from '../core/errors.ts'
import { isStorable } from '../core/text.ts'
import { MOST_SUGGESTED, mustBe } from './issues.ts'

/** The body parsed by the schema. Unknown fields are dropped unless the schema is strict. AppError `validation_failed` with every issue (http-api.md 1.8). */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const issues = bodyIssues(schema, body)
  if (issues.length > 0) throw errorFromIssues(issues)
  return schema.parse(body)
}

/** Issues of a body that does not match the schema. */
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

/** An issue at a path of the body. */
export function bodyIssue(path: readonly PropertyKey[], message: string): Issue {
  return { code: 'validation_failed', where: ['body', ...path.map(String)].join('.'), message, did_you_mean: [] }
}

/** Schema of a text field of `from` to `to` characters that every store can hold. */
export function textField(name: string, from: number, to: number) {
  const error = refusal(name, `text of ${from} to ${to} characters`)
  return z.string({ error }).refine((text) => [...text].length >= from && [...text].length <= to && isStorable(text), { error })
}

/** Error message of a schema, with the expected and the given value. */
export function refusal(name: string, what: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => mustBe(name, what, input)
}

/** Schema of an object body. */
export function objectBody<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape, { error: 'The body must be a JSON object.' })
}

/** Schema of an object body that refuses unknown fields, so that a misspelt name is not lost silently. */
export function closedBody<T extends z.ZodRawShape>(shape: T) {
  return objectBody(shape).strict()
}
