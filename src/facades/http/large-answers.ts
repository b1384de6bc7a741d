import { createHash } from 'node:crypto'
import { asCaller } from '../../core/caller.ts'
import { AppError } from '../../core/errors.ts'
import { createGate, type Gate } from '../../core/gate.ts'
import { type LargePlace, PlaceNeeded } from '../../engine/engine.ts'
import { addressOf } from './connections.ts'
import type { Middleware, RequestContext } from './environment.ts'

/** Limits per principal: large answers sent at the same time, waiting answers, and the longest wait. */
const LIMITS = { size: 2, queueSize: 8, queueMs: 60_000, isOfOneCaller: true }

/** A place that is freed when the answer has been sent. */
export interface HeldPlace extends LargePlace {
  /** Wraps the body: the place is freed when the last byte is sent or the client leaves. */
  sending(stream: (onEnd: () => void) => ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** Called when the request is answered. Frees the place unless a body is still being sent. */
  answered(): void
}

/** The places of all principals. */
interface LargeAnswers {
  /** A place for one request, not yet taken. `signal` ends the wait for it. */
  placeOf(principal: string, signal?: AbortSignal): HeldPlace
}

/** Creates the places. All are free. */
function createLargeAnswers(limits = LIMITS): LargeAnswers {
  const gates = new Map<string, Gate>()
  const gateOf = (principal: string): Gate => {
    const gate = gates.get(principal) ?? createGate(limits, () => new PlaceNeeded())
    gates.set(principal, gate)
    return gate
  }
  const forget = (principal: string) => {
    const { running, waiting } = gates.get(principal)?.load() ?? { running: 1, waiting: 0 }
    if (running + waiting === 0) gates.delete(principal)
  }
  return {
    placeOf(principal, signal) {
      let leaving: Promise<() => void> | undefined
      let isTaken = false
      let isSending = false
      let isLeft = false
      const leave = () => {
        if (isLeft) return
        isLeft = true
        signal?.removeEventListener('abort', leave)
        leaving
          ?.then((giveBack) => giveBack())
          .catch(() => {})
          .finally(() => forget(principal))
      }
      const enter = () => {
        leaving ??= gateOf(principal)
          .enter(signal)
          .finally(() => forget(principal))
        return leaving
      }
      const place: HeldPlace = {
        get isTaken() {
          return isTaken
        },
        take() {
          if (isTaken) return true
          const { running, size } = gateOf(principal).load()
          if (isLeft || running >= size) return false
          // The gate has room, so this does not wait.
          void enter().catch(() => {})
          isTaken = true
          return true
        },
        async wait() {
          if (isLeft) throw new AppError('overloaded', 'The request has ended.')
          await enter()
          isTaken = true
        },
        sending(stream) {
          isSending = true
          signal?.addEventListener('abort', leave, { once: true })
          return stream(leave)
        },
        answered() {
          if (!isSending) leave()
        },
      }
      return place
    },
  }
}

/**
 * Says whose request is being answered, so that each caller gets its turn, and gives the request a place among the large answers of its caller. The
 * place is taken only if the answer is large.
 */
export function callersPlaces(): Middleware {
  const answers = createLargeAnswers()
  return async (context, next) => {
    const caller = callerOf(context)
    const place = answers.placeOf(caller, context.req.raw.signal)
    context.set('large', place)
    try {
      await asCaller(caller, next, context.get('request_id'))
    } finally {
      // A body that is sent in pieces keeps the place until its end.
      place.answered()
    }
  }
}

// Without sign-in, callers are counted by address, so that one address cannot take all places.
function callerOf(context: RequestContext): string {
  const { id, kind } = context.get('principal')
  return kind === 'anonymous' ? `${id}@${addressOf(context.env?.incoming?.socket ?? {})}` : id
}

/** A large body, ready to send. */
interface LargeBody {
  readonly bytes: number
  /** Strong entity tag. It equals the tag of the body written at once. */
  readonly etag: string
  /** The body as a stream. Sent chunks are freed. `onEnd` is called at the end or when the client leaves. */
  stream(onEnd: () => void): ReadableStream<Uint8Array>
}

/** Bytes per chunk. */
const CHUNK_BYTES = 65_536

/** Writes a body from its pieces. It must be complete before the first byte is sent, because the entity tag is in the head. */
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
