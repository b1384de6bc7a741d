import type { paths } from '../../docs/openapi/types.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** Paths that support a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { readonly [Name in M]: object } ? P : never
}[keyof paths]

export type OperationAt<M extends Method, P extends keyof paths> = paths[P] extends { readonly [Name in M]: infer Operation }
  ? Operation
  : never

type Parameters<Operation, Place extends 'path' | 'query'> = Operation extends {
  readonly parameters: { readonly [Name in Place]?: infer Values }
}
  ? NonNullable<Values>
  : never

// OpenAPI bodies are optional by default. Here the required fields of the body decide.
type BodyOf<Operation> = Operation extends { readonly requestBody?: infer Body } ? ContentBody<NonNullable<Body>> : never

type ContentBody<Body> = Body extends { readonly content: infer Content }
  ? Content extends { readonly 'application/json': infer Json }
    ? Json
    : FormData
  : never

/** One key of the input. Forbidden if the operation has no such key, optional if nothing in its value is required. */
type Part<Key extends string, Value> = [Value] extends [never]
  ? { readonly [Name in Key]?: never }
  : Record<string, never> extends Value
    ? { readonly [Name in Key]?: Value }
    : { readonly [Name in Key]: Value }

/**
 * Input of a call: values for the path parameters, the query string and the body. `format`, `money` and `explain` are left out: the
 * client chooses the format, and typed responses have amounts as numbers and no explanation.
 */
export type Input<Operation, Own extends string = 'format' | 'money' | 'explain'> = Part<'path', Parameters<Operation, 'path'>> &
  Part<'query', Omit<Parameters<Operation, 'query'>, Own>> &
  Part<'body', BodyOf<Operation>> & { readonly signal?: AbortSignal }

type Success = 200 | 201 | 202

type ContentOf<Operation> = Operation extends { readonly responses: infer Responses }
  ? {
      [Status in keyof Responses & Success]: Responses[Status] extends { content: infer Content } ? Content : never
    }[keyof Responses & Success]
  : never

/** The JSON answer of an operation. */
export type Output<Operation> = ContentOf<Operation> extends { readonly 'application/json': infer Json } ? Json : never

/** Input of a call for a file. */
export type FileInput<Operation> = Input<Operation, 'format' | 'explain'>

/** Paths that are also available as a file: CSV or a workbook. */
export type FilePath = {
  [P in PathOf<'get'>]: ContentOf<OperationAt<'get', P>> extends { readonly 'text/csv': string } ? P : never
}[PathOf<'get'>]
