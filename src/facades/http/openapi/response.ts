import { z } from '@hono/zod-openapi'
import { type HeaderName, pickHeaders } from './headers.ts'

/** A JSON response. */
export function jsonResponse<S extends z.ZodType>(description: string, schema: S, headers: readonly HeaderName[] = []) {
  return { description, headers: pickHeaders('x-request-id', ...headers), content: { 'application/json': { schema } } }
}

/** A response in another media type, described as text. */
export function textResponse<M extends string, S extends z.ZodType>(description: string, mediaType: M, schema: S) {
  return { description, headers: pickHeaders('x-request-id'), content: ofType(mediaType, schema) }
}

/** The response to a deletion. */
export const DELETED = z.object({ status: z.literal('deleted') }).meta({ id: 'Deleted' })

/** The response to a change that does not return the record. */
export const UPDATED = z.object({ status: z.literal('updated') }).meta({ id: 'Updated' })

/** A request body in JSON. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { content: { 'application/json': { schema } } }
}

function ofType<M extends string, S extends z.ZodType>(mediaType: M, schema: S) {
  return { [mediaType]: { schema } } as { readonly [K in M]: { readonly schema: S } }
}

/** A page of rows, named after its rows: `CustomerPage`. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  const page = z.object({
    total: z.int().nonnegative().describe('Total number of rows on all pages'),
    limit: z.int(),
    offset: z.int(),
    rows: z.array(row).readonly(),
  })
  const id = row.meta()?.id
  return id === undefined ? page : page.meta({ id: `${id}Page` })
}
