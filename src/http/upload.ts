import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { AppError, errorFromIssues, type Issue, suggest } from '../core/errors.ts'
import type { AttributeImportOptions, IdKind } from '../engine/ports.ts'
import { shapeIssue } from './body.ts'
import type { RequestContext } from './environment.ts'

const KINDS: readonly IdKind[] = ['id', 'external', 'email']
const FIELD_BYTES = 10_000

/**
 * Takes the file of a multipart body to disk, so that a slow sender holds no transaction and memory stays flat, and hands it on.
 * AppError `payload_too_large`, `validation_failed` for another body, `invalid_value` for a field.
 */
export async function readUpload<T>(
  context: RequestContext,
  maxBytes: number,
  use: (file: AsyncIterable<Uint8Array>, options: AttributeImportOptions) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-upload-'))
  try {
    const path = join(directory, 'file')
    const { fields, hasFile } = await receive(context, path, maxBytes)
    const options = readOptions(fields, hasFile)
    return await use(piecesOf(path), options)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

// Opened when it is first read: a stream that nobody reads would fail once the file is gone.
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path)
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
  parser.on('field', (name, value) => void fields.set(name, value))
  parser.on('file', (name, file) => {
    if (name !== 'file' || written.length > 0) return void file.resume()
    file.on('limit', () => {
      isTooLarge = true
    })
    written.push(pipeline(file, createWriteStream(path)))
  })
  parser.on('error', () => {})
  try {
    // By hand, not by a pipeline: what the parser throws at odd bytes must end the request and not the process.
    for await (const piece of piecesOfBody(context.req.raw)) {
      if (isTooLarge) break
      if (!parser.write(piece)) await once(parser, 'drain')
    }
    if (!isTooLarge) {
      parser.end()
      await finished(parser)
      await Promise.all(written)
    }
  } catch (cause) {
    if (!isTooLarge) throw noMultipart(cause)
  } finally {
    parser.destroy()
    await Promise.allSettled(written)
  }
  if (isTooLarge) {
    const detail = `The CSV file is larger than ${maxBytes} bytes.`
    throw new AppError('payload_too_large', detail, { context: { limit_bytes: maxBytes } })
  }
  return { fields, hasFile: written.length > 0 }
}

function multipart(type: string | undefined, maxBytes: number) {
  if (!/^multipart\/form-data\b/i.test(type ?? '')) throw noMultipart()
  try {
    // One byte more than allowed, for the parser takes a file of just its limit for one that was cut.
    const limits = { fileSize: maxBytes + 1, fields: 20, fieldSize: FIELD_BYTES, files: 20 }
    return busboy({ headers: { 'content-type': type ?? '' }, limits })
  } catch (cause) {
    throw noMultipart(cause)
  }
}

function readOptions(fields: ReadonlyMap<string, string>, hasFile: boolean): AttributeImportOptions {
  const issues: Issue[] = hasFile ? [] : [shapeIssue('body.file', 'The field "file" holds the CSV file.')]
  const id_column = fields.get('id_column') || undefined
  const given = fields.get('id_kind') || undefined
  const id_kind = KINDS.find((kind) => kind === given)
  if (given !== undefined && id_kind === undefined) {
    const message = `"id_kind" is one of ${KINDS.join(', ')}.`
    issues.push({ code: 'invalid_value', where: 'body.id_kind', value: given, message, did_you_mean: suggest(given, KINDS) })
  }
  if (issues.length > 0) throw errorFromIssues(issues)
  return { id_column, id_kind }
}

function noMultipart(cause?: unknown): AppError {
  const message = 'The body is multipart/form-data with the CSV file in the field "file".'
  return new AppError('validation_failed', message, { issues: [shapeIssue('body', message)], cause })
}
