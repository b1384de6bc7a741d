import * as z from 'zod'
import { isStorable } from '../../core/text.ts'
import { mustBe, oneOf } from '../../query/issues.ts'

/** Pattern of text without the character 0. */
export const STORABLE = String.raw`^[^\x00]*$`
/** The same without blanks at its ends. */
const TRIMMED = String.raw`^[^\s\x00]([^\x00]*[^\s\x00])?$`

/** An instant, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export const INSTANT = z.string().meta({ format: 'date-time' })

/** Id of a record in an answer. */
export const ID = z.string()

/** A text of `from` to `to` characters that every store can hold. `field` is its name in messages. */
export function text(field: string, from: number, to: number) {
  const error = refusal(field, `text of ${from} to ${to} characters`)
  const minLength = from === 0 ? {} : { minLength: from }
  return z
    .string({ error })
    .refine((given) => [...given].length >= from && [...given].length <= to && isStorable(given), { error })
    .meta({ ...minLength, maxLength: to, pattern: STORABLE })
}

/** A name or title of 1 to 200 characters without blanks at its ends. */
export function name(field: string, description = 'No leading or trailing spaces') {
  return text(field, 1, 200)
    .refine((given) => given.trim() === given, `"${field}" must not begin or end with blanks.`)
    .meta({ minLength: 1, maxLength: 200, pattern: TRIMMED, description })
}

/** A description of up to 10,000 characters, which may be absent. */
export const DESCRIPTION = text('description', 0, 10_000).nullable().optional()

/** One of the words. */
export function choice<const Words extends readonly [string, ...string[]]>(field: string, words: Words) {
  return z.enum(words, { error: refusal(field, oneOf(words)) })
}

/** A day, `YYYY-MM-DD`. */
export function day(field: string, description: string) {
  return z.iso.date({ error: refusal(field, 'a date (YYYY-MM-DD)') }).describe(description)
}

/** A whole number from `from` to `to`. */
export function whole(field: string, from: number, to: number, description: string) {
  return z
    .number({ error: refusal(field, `a whole number from ${from} to ${to}`) })
    .refine((given) => Number.isInteger(given) && given >= from && given <= to, {
      error: refusal(field, `a whole number from ${from} to ${to}`),
    })
    .meta({ type: 'integer', minimum: from, maximum: to, description })
}

/** Error message of a schema, with the expected and the given value. */
export function refusal(field: string, what: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => mustBe(field, what, input)
}
