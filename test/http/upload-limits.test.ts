import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { Environment } from '../../src/facades/http/environment.ts'
import { errorResponse } from '../../src/facades/http/errors.ts'
import { registerAttributeImport } from '../../src/facades/http/routes/attribute-import.ts'

const CSV_BYTES = 100_000
const PIECE = 65_536
const BOUNDARY = 'limit'
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nexternal,a\nx,1'

const app = new OpenAPIHono<Environment>()
app.onError((error, context) => errorResponse(error, context, { log: () => {}, logState: () => {} }))
registerAttributeImport(
  app,
  { attributes: { import: async () => ({ rows_read: 1 }) } as unknown as Engine['attributes'] },
  CSV_BYTES,
)

/** Sends parts, with `padding` bytes after the last. Returns how many bytes were taken. */
async function upload(parts: readonly string[], padding = 0, end = `\r\n--${BOUNDARY}--\r\n`) {
  const head = Buffer.from(parts.map((part) => `--${BOUNDARY}\r\n${part}`).join('\r\n'))
  let taken = 0
  async function* pieces() {
    yield head
    for (let sent = 0; sent < padding; sent += PIECE) {
      taken += PIECE
      yield Buffer.alloc(PIECE, 'x')
    }
    yield Buffer.from(end)
  }
  const response = await app.request('/api/attributes/import', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: ReadableStream.from(pieces()) as ReadableStream<Uint8Array>,
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, taken }
}

it.each([
  ['a part without a name', 'Content-Disposition: form-data\r\n\r\n'],
  ['a part that is no form data', 'Content-Disposition: attachment\r\n\r\n'],
  ['a part without headers', 'X-Odd: 1\r\n\r\n'],
  ['a file without a name', 'Content-Disposition: form-data; filename="b.csv"\r\n\r\n'],
  ['a file of another name', 'Content-Disposition: form-data; name="other"; filename="b.csv"\r\n\r\n'],
  ['a field beyond its limit', 'Content-Disposition: form-data; name="id_column"\r\n\r\n'],
])('%s counts towards the limit of the upload', async (_, part) => {
  const { status, body, taken } = await upload([FILE, part], 50 * PIECE * 10)
  expect([status, body['code'], body['limit_bytes']]).toEqual([413, 'payload_too_large', CSV_BYTES])
  expect(taken).toBeLessThan(20 * PIECE)
})

it.each([
  ['a field', 'Content-Disposition: form-data; name="id_colunm"\r\n\r\nx', 'body.id_colunm'],
  ['a file', 'Content-Disposition: form-data; name="files"; filename="b.csv"\r\n\r\nx', 'body.files'],
  ['a file in place of a text', 'Content-Disposition: form-data; name="id_column"; filename="b.csv"\r\n\r\nx', 'body.id_column'],
  ['a text next to the file', 'Content-Disposition: form-data; name="file"\r\n\r\nx', 'body.file'],
  [
    'a field that is given twice',
    `Content-Disposition: form-data; name="id_column"\r\n\r\nexternal\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="id_column"\r\n\r\na`,
    'body.id_column',
  ],
  ['a second file', 'Content-Disposition: form-data; name="file"; filename="b.csv"\r\n\r\nx', 'body.file'],
])('%s that the import would drop is refused by its name', async (_, part, where) => {
  const { status, body } = await upload([FILE, part])
  expect([status, body['code'], body['issues']]).toEqual([422, 'validation_failed', [expect.objectContaining({ where })]])
})

it('a small part next to the file may pass', async () => {
  expect(await upload([FILE, 'Content-Disposition: form-data\r\n\r\n'], PIECE)).toMatchObject({
    status: 200,
    body: { rows_read: 1 },
  })
})

it.each([
  ['fields', 'Content-Disposition: form-data; name="id_column"\r\n\r\nexternal'],
  ['files', 'Content-Disposition: form-data; name="other"; filename="b"\r\n\r\nx'],
  ['parts without a name', 'Content-Disposition: form-data\r\n\r\nx'],
])('thousands of %s are refused', async (_, part) => {
  const { status, body } = await upload([FILE, ...Array.from({ length: 3_000 }, () => part)])
  expect([status, body['code'], body['limit']]).toEqual([422, 'validation_failed', 20])
})

it('a file that nobody asked for and that is cut short refuses the request, and ends nothing else', async () => {
  const failures: unknown[] = []
  const note = (error: unknown) => failures.push(error)
  process.on('uncaughtException', note)
  try {
    const other = 'Content-Disposition: form-data; name="other"; filename="b.csv"\r\n\r\nhalf'
    expect(await upload([FILE, other], 0, '')).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    await new Promise(setImmediate)
    expect(failures).toEqual([])
  } finally {
    process.off('uncaughtException', note)
  }
})
