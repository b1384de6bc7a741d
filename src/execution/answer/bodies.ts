import type { Answer } from './answer.ts'

/** A body of an answer with its strong entity tag, in quotes. */
export interface Body {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

/** The bodies that facades have made of a remembered answer, by format. */
export interface Bodies {
  get(format: string): Body | undefined
  set(format: string, body: Body): void
}

/** Creates an empty collection. `onBytes` is called with the size of each added body. */
export function createBodies(onBytes: (bytes: number) => void): Bodies {
  const known = new Map<string, Body>()
  return {
    get: (format) => known.get(format),
    set(format, body) {
      if (known.has(format)) return
      known.set(format, body)
      onBytes(body.bytes.byteLength)
    },
  }
}

// Weak, so that an answer stays a plain record whose bodies go with it.
const bodies = new WeakMap<Answer, Bodies>()

/** The bodies of a remembered answer. Undefined: the answer is not remembered, or each request shows its own instant in it. */
export function bodiesOf(answer: Answer): Bodies | undefined {
  return bodies.get(answer)
}

/** The answer, with the bodies of the remembered one. */
export function withBodies(answer: Answer, known: Bodies): Answer {
  bodies.set(answer, known)
  return answer
}
