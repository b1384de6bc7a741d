import { createHash } from 'node:crypto'

/** A large body as it will be sent. */
export interface LargeBody {
  readonly bytes: number
  /** Strong entity tag, the same that a body has which is written at once. */
  readonly etag: string
  /** The body, which is let go of as it is sent; `onEnd` is called once nobody needs it any more. */
  stream(onEnd: () => void): ReadableStream<Uint8Array>
}

/** Bytes that are handed on at a time. */
const CHUNK_BYTES = 65_536

/** Writes a body from its pieces; it has to be whole before the first byte is sent, as its tag stands in front. */
export async function writeLargeBody(pieces: AsyncIterable<string>): Promise<LargeBody> {
  const hash = createHash('sha256')
  const chunks: Uint8Array[] = []
  let text = ''
  let bytes = 0
  const cut = () => {
    const chunk = Buffer.from(text)
    text = ''
    hash.update(chunk)
    bytes += chunk.byteLength
    chunks.push(chunk)
  }
  for await (const piece of pieces) {
    text += piece
    if (text.length >= CHUNK_BYTES) cut()
  }
  if (text !== '') cut()
  return {
    bytes,
    etag: `"${hash.digest('hex')}"`,
    stream: (onEnd) =>
      new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk !== undefined) return controller.enqueue(chunk)
          onEnd()
          controller.close()
        },
        cancel() {
          chunks.length = 0
          onEnd()
        },
      }),
  }
}
