import type { z } from '@hono/zod-openapi'
import { type HeaderName, pickHeaders } from './headers.ts'

/** A response of the document. */
export interface ResponseConfig {
  readonly description: string
  readonly headers?: ReturnType<typeof pickHeaders>
  readonly content?: Record<string, { schema: z.ZodType }>
}

/** A JSON response. */
export function jsonResponse(description: string, schema: z.ZodType, headers: readonly HeaderName[] = []): ResponseConfig {
  return { description, headers: pickHeaders('x-request-id', ...headers), content: { 'application/json': { schema } } }
}

/** A response in another media type, text to OpenAPI. */
export function textResponse(description: string, mediaType: string, schema: z.ZodType): ResponseConfig {
  return { description, headers: pickHeaders('x-request-id'), content: { [mediaType]: { schema } } }
}
