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
import { unknownFields } from '../../workspace/records/body.ts'
import { shapeIssue } from './body.ts'
import type { RequestContext } from './environment.ts'

const FIELD_BYTES = 10_000
const FIELDS = 20
/** Only this process may read an upload. */
const OWNER_ONLY = 0o600
/** Bytes of fields, names and boundaries in addition to the file. */
const AROUND_BYTES = 2 * FIELDS * FIELD_BYTES

/** Reads the form fields by name. An empty field is absent. `report` receives issues with their places in the body. */
export type ReadFields<Options> = (field: (name: string) => string | undefined, report: (issue: Issue) => void) => Options

/**
 * Writes the file of a multipart body to disk, then passes it to `use`. So a slow sender holds no transaction, and memory use is constant.
 * AppError `payload_too_large`, `validation_failed` for another body or a field that `readFields` does not read, `invalid_value` for a field.
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
    const { fields, hasFile, others, repeated } = await receive(context, path, maxBytes)
    const issues: Issue[] = hasFile ? [] : [shapeIssue('body.file', 'The field "file" is required: the CSV file.')]
    const known = new Set(['file'])
    const options = readFields(
      (name) => {
        known.add(name)
        return fields.get(name) || undefined
      },
      (issue) => issues.push(issue),
    )
    // A part without a name is no field.
    issues.push(...unknownFields([...fields.keys(), ...others].filter(Boolean), [...known]))
    if (others.includes('file') || fields.has('file'))
      issues.push(shapeIssue('body.file', 'The field "file" must have one file.'))
    for (const name of new Set(others.filter((each) => each !== 'file' && known.has(each))))
      issues.push(shapeIssue(`body.${name}`, `The field "${name}" must be text, not a file.`))
    for (const name of repeated) issues.push(shapeIssue(`body.${name}`, `The field "${name}" is given twice.`))
    if (issues.length > 0) throw errorFromIssues(issues)
    return await use(piecesOf(path, context.req.raw.signal), options)
  } finally {
    await directory.remove()
  }
}

// The file is opened at the first read, because an unread stream would fail when the file is removed. If the client has left, reading fails,
// and the import is rolled back.
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
  /** Names of further files. */
  readonly others: readonly string[]
  /** Names of fields with several values. */
  readonly repeated: ReadonlySet<string>
}

async function receive(context: RequestContext, path: string, maxBytes: number): Promise<Received> {
  const parser = multipart(context.req.header('content-type'), maxBytes)
  const fields = new Map<string, string>()
  const written: Promise<void>[] = []
  const others: string[] = []
  const repeated = new Set<string>()
  let isTooLarge = false
  let hasTooMany = false
  let received = 0
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(limit, () => {
      hasTooMany = true
    })
  }
  parser.on('field', (name, value) => {
    if (fields.has(name)) repeated.add(name)
    fields.set(name, value)
  })
  parser.on('file', (name, file) => {
    // A truncated file emits an error even if nobody reads it. Without this listener, the error would end the process.
    file.on('error', () => {})
    if (name !== 'file' || written.length > 0) {
      others.push(name)
      return void file.resume()
    }
    file.on('limit', () => {
      isTooLarge = true
    })
    written.push(pipeline(file, createWriteStream(path, { mode: OWNER_ONLY })))
  })
  parser.on('error', () => {})
  try {
    // Writes to the parser directly: with `pipeline`, an exception of the parser would end the process, not only the request.
    for await (const piece of piecesOfBody(context.req.raw)) {
      // Counted here, because the parser counts neither parts without a name nor files with other names.
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
  return { fields, hasFile: written.length > 0, others, repeated }
}

function multipart(type: string | undefined, maxBytes: number) {
  if (!/^multipart\/form-data\b/i.test(type ?? '')) throw noMultipart()
  try {
    // One byte more than allowed: the parser reports a file of exactly its limit as truncated.
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
  const message = 'The body must be multipart/form-data with the CSV file in the field "file".'
  return new AppError('validation_failed', message, { issues: [shapeIssue('body', message)], cause })
}

/** Form fields for the format of a CSV file. */
export const CSV_FORM_FIELDS = {
  separator: z
    .enum(SEPARATOR_NAMES)
    .optional()
    .describe(
      'Separator of the cells, by name or as the character. Default: the line `sep=`, otherwise the separator in the header',
    ),
  encoding: z.enum(CSV_ENCODINGS).optional().describe('Default: the encoding of the byte order mark, otherwise UTF-8'),
}
