import * as z from 'zod'
import { errorFromIssues, type Issue, suggest } from '../../core/errors.ts'
import { MOST_SUGGESTED } from '../../query/issues.ts'

/** A request body in JSON. Unknown fields are refused, so that a misspelt name is not lost silently. */
export interface Body<T> {
  /** Its schema in /openapi.json. */
  readonly shown: z.ZodType
  /** AppError `validation_failed` with every issue (http-api.md 1.8), those that the caller found included. */
  parse(body: unknown, found?: readonly Issue[]): T
}

/** Fields of a body or an answer, by name. */
export type Fields = Readonly<Record<string, z.ZodType>>

/** A parsed body. */
export type Parsed<F extends Fields> = {
  -readonly [K in keyof F as undefined extends z.output<F[K]> ? never : K]: z.output<F[K]>
} & { -readonly [K in keyof F as undefined extends z.output<F[K]> ? K : never]?: z.output<F[K]> }

/** Unknown fields of a part of a body that are named. */
const MOST_NAMED = 20

/** The schemas that the document shows for fields that are checked in another way. */
const SHOWN = new WeakMap<z.ZodType, z.ZodType>()

/**
 * A field for which /openapi.json shows another schema than the one that checks it. Use it only where a check reports more than a schema can.
 * test/http/bodies.test.ts compares the two.
 */
export function shownAs<F extends z.ZodType>(check: F, schema: z.ZodType): F {
  SHOWN.set(check, schema)
  return check
}

/** A body with these fields, named `id` in /openapi.json. */
export function defineBody<F extends Fields>(id: string, fields: F): Body<Parsed<F>> {
  const checked = z.strictObject(fields, { error: 'The body must be a JSON object.' })
  const known = Object.keys(fields)
  const issuesIn = (error: z.ZodError | undefined): readonly Issue[] =>
    (error?.issues ?? []).flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.path.length === 0
          ? unknownFields(issue.keys, known)
          : issue.keys.slice(0, MOST_NAMED).map((key) => bodyIssue([...issue.path, key], `Unknown field "${key}".`))
        : [bodyIssue(issue.path, issue.message)],
    )
  return {
    shown: z.strictObject(mapped(fields, shownOf)).meta({ id }),
    parse(body, found = []) {
      // Once: an expiry that passes between two checks would be an error of the product.
      const { data, error } = checked.safeParse(body)
      const issues = [...issuesIn(error), ...found]
      if (issues.length > 0) throw errorFromIssues(issues)
      return data as Parsed<F>
    },
  }
}

/** Fields, each of which may be left out. */
export type Optional<F extends Fields> = { [K in keyof F]: z.ZodOptional<F[K]> }

/** The fields, each of which may be left out. */
export function optionalFields<F extends Fields>(fields: F): Optional<F> {
  return mapped(fields, (field) => shownAs(z.optional(field), z.optional(shownOf(field)))) as Optional<F>
}

function shownOf(field: z.ZodType): z.ZodType {
  return SHOWN.get(field) ?? field
}

function mapped(fields: Fields, change: (field: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))
}

/** An issue for each field that is not known. Only the first get similar names. */
export function unknownFields(names: readonly string[], known: readonly string[]): readonly Issue[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name, index) => ({
      ...bodyIssue([name], `Unknown field "${name}"; known fields are ${known.join(', ')}.`),
      did_you_mean: index < MOST_SUGGESTED ? suggest(name, known) : [],
    }))
}

/** An issue at a path of the body. */
export function bodyIssue(path: readonly PropertyKey[], message: string): Issue {
  return { code: 'validation_failed', where: ['body', ...path.map(String)].join('.'), message, did_you_mean: [] }
}
