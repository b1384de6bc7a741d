import { bodyLimit } from 'hono/body-limit'
import { AppError } from '../../core/errors.ts'

/** Refuses a body above so many bytes. AppError `payload_too_large`. */
export function limitBody(bytes: number) {
  return bodyLimit({
    maxSize: bytes,
    onError: () => {
      throw new AppError('payload_too_large', `The body is larger than ${bytes} bytes.`, { context: { limit_bytes: bytes } })
    },
  })
}
