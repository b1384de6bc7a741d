import * as z from 'zod'
import { type Body, defineBody, type Fields, type Optional, optionalFields, type Parsed } from './body.ts'

/** Fields as an answer has them: none is left out. */
export type Answered<F extends Fields> = { [K in keyof F]: F[K] extends z.ZodOptional<infer Inner> ? Inner : F[K] }

/** A kind of stored record. */
export interface RecordDeclaration<X extends Fields, F extends Fields, A extends z.ZodRawShape, G extends Fields> {
  readonly description: string
  /** Fields of a new record that never change. */
  readonly fixed?: X
  /** Fields that callers write. */
  readonly fields: F
  /** Fields of changes that are not stored, such as the revision that the writer has read. */
  readonly guards?: G
  /** Name of the answer in /openapi.json. Default: the name of the kind. */
  readonly answerName?: string
  /** The fields of an answer in their order, made of those above. */
  answer(fields: Answered<X & F>): A
}

/** The bodies and the answer of a kind. The same fields check bodies and describe them in /openapi.json. */
export interface RecordKind<X extends Fields, F extends Fields, A extends z.ZodRawShape, G extends Fields> {
  /** A new record: `New<name>`. */
  readonly body: Body<Parsed<X & F>>
  /** A change, in which every field may be left out: `<name>Change`. */
  readonly change: Body<Parsed<Optional<F> & G>>
  readonly answer: z.ZodObject<A>
}

/** Declares a kind of stored record once. `name` is its name in /openapi.json. */
export function defineRecord<
  F extends Fields,
  A extends z.ZodRawShape,
  X extends Fields = Record<never, never>,
  G extends Fields = Record<never, never>,
>(
  name: string,
  { description, fixed, fields, guards, answerName = name, answer }: RecordDeclaration<X, F, A, G>,
): RecordKind<X, F, A, G> {
  const all = { ...fixed, ...fields } as X & F
  return {
    body: defineBody(`New${name}`, all),
    change: defineBody(`${name}Change`, { ...optionalFields(fields), ...guards } as Optional<F> & G),
    answer: z.object(answer(answered(all))).meta({ id: answerName, description }),
  }
}

function answered<F extends Fields>(fields: F): Answered<F> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field instanceof z.ZodOptional ? field.unwrap() : field]),
  ) as Answered<F>
}

/** The answer to a change that returns the record. */
export function updated<S extends z.ZodObject>(record: S) {
  return z
    .object({ status: z.literal('updated') })
    .and(record)
    .meta({ id: `Updated${record.meta()?.id}` })
}
