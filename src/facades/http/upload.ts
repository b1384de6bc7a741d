import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { z } from '@hono/zod-openapi'
import busboy from 'busboy'
import { CSV_ENCODINGS, SEPARATOR_NAMES } from '../../core/csv-form.ts'
import { AppError, errorFromIssues, type Issue } from '../../core/errors.ts'
import { makeTemporaryDirectory, UPLOADS } from '../../core/temporary-directory.ts'
import { shapeIssue } from './body.ts'
import type { RequestContext } from './environment.ts'

const FIELD_BYTES = 10_000
const FIELDS = 20
/** An upload is for this process alone, like its directory. */
const OWNER_ONLY = 0o600
/** Fields, names and boundaries around the file. */
const AROUND_BYTES = 2 * FIELDS * FIELD_BYTES

/** Reads the fields around a file, by name; an empty one is absent. What is wrong is reported with its place in the body. */
export type ReadFields<Options> = (field: (name: string) => string | undefined, report: (issue: Issue) => void) => Options

/**
 * Takes the file of a multipart body to disk, so that a slow sender holds no transaction and memory stays flat, and hands it on.
 * AppError `payload_too_large`, `validation_failed` for another body, `invalid_value` for a field.
 */
export async function readUpload<Options, T>(
  context: RequestContext,
  maxBytes: number,
  readFields: ReadFields<Options>,
  use: (file: AsyncIterable<Uint8Array>, options: Options) => Promise<T>,
): Promise<T> {
  const directory = await makeTemporaryDirectory(tmpdir(), UPLOADS)
  try {
    const path = join(directory.path, 'file')
    const { fields, hasFile } = await receive(context, path, maxBytes)
    const issues: Issue[] = hasFile ? [] : [shapeIssue('body.file', 'The field "file" holds the CSV file.')]
    const options = readFields(
      (name) => fields.get(name) || undefined,
      (issue) => issues.push(issue),
    )
    if (issues.length > 0) throw errorFromIssues(issues)
    return await use(piecesOf(path, context.req.raw.signal), options)
  } finally {
    await directory.remove()
  }
}

// Opened when it is first read: a stream that nobody reads would fail once the file is gone. Who has left wants nothing of it stored: a
// file that ends in a failure is rolled back.
async function* piecesOf(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(path) as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted()
    yield piece
  }
  signal.throwIfAborted()
}

function piecesOfBody({ body }: Request): AsyncIterable<Uint8Array> {
  return body === null ? Readable.from([]) : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
}

interface Received {
  readonly fields: ReadonlyMap<string, string>
  readonly hasFile: boolean
}

async function receive(context: RequestContext, path: string, maxBytes: number): Promise<Received> {
  const parser = multipart(context.req.header('content-type'), maxBytes)
  const fields = new Map<string, string>()
  const written: Promise<void>[] = []
  let isTooLarge = false
  let hasTooMany = false
  let received = 0
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(limit, () => {
      hasTooMany = true
    })
  }
  parser.on('field', (name, value) => void fields.set(name, value))
  parser.on('file', (name, file) => {
    // A file cut short fails, also one that nobody reads; what nobody hears would end the process.
    file.on('error', () => {})
    if (name !== 'file' || written.length > 0) return void file.resume()
    file.on('limit', () => {
      isTooLarge = true
    })
    written.push(pipeline(file, createWriteStream(path, { mode: OWNER_ONLY })))
  })
  parser.on('error', () => {})
  try {
    // By hand, not by a pipeline: what the parser throws at odd bytes must end the request and not the process.
    for await (const piece of piecesOfBody(context.req.raw)) {
      // The parser counts neither parts without a name nor files that nobody asked for.
      received += piece.byteLength
      isTooLarge ||= received > maxBytes + AROUND_BYTES
      if (isTooLarge || hasTooMany) break
      if (!parser.write(piece)) await once(parser, 'drain')
    }
    if (!isTooLarge && !hasTooMany) {
      parser.end()
      await finished(parser)
      await Promise.all(written)
    }
  } catch (cause) {
    if (!isTooLarge && !hasTooMany) throw noMultipart(cause)
  } finally {
    parser.destroy()
    await Promise.allSettled(written)
  }
  if (isTooLarge) {
    const detail = `The CSV file is larger than ${maxBytes} bytes.`
    throw new AppError('payload_too_large', detail, { context: { limit_bytes: maxBytes } })
  }
  if (hasTooMany) throw tooManyParts()
  return { fields, hasFile: written.length > 0 }
}

function multipart(type: string | undefined, maxBytes: number) {
  if (!/^multipart\/form-data\b/i.test(type ?? '')) throw noMultipart()
  try {
    // One byte more than allowed, for the parser takes a file of just its limit for one that was cut.
    const limits = { fileSize: maxBytes + 1, fields: FIELDS, fieldSize: FIELD_BYTES, files: FIELDS, parts: 2 * FIELDS }
    return busboy({ headers: { 'content-type': type ?? '' }, limits })
  } catch (cause) {
    throw noMultipart(cause)
  }
}

function tooManyParts(): AppError {
  const message = `The body has more than ${FIELDS} fields.`
  return new AppError('validation_failed', message, { issues: [shapeIssue('body', message)], context: { limit: FIELDS } })
}

function noMultipart(cause?: unknown): AppError {
  const message = 'The body is multipart/form-data with the CSV file in the field "file".'
  return new AppError('validation_failed', message, { issues: [shapeIssue('body', message)], cause })
}

/** Fields of an upload that say how its file is written. */
export const CSV_FORM_FIELDS = {
  separator: z
    .enum(SEPARATOR_NAMES)
    .optional()
    .describe(
      'What divides the cells; the character itself is taken, too. Absent: the line `sep=`, else what divides the header',
    ),
  encoding: z.enum(CSV_ENCODINGS).optional().describe('Absent: that of the byte order mark, else UTF-8'),
}
