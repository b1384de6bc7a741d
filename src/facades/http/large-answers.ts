import { createHash } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { createGate, type Gate } from '../../core/gate.ts'
import { type LargePlace, PlaceNeeded } from '../../engine/engine.ts'
import { addressOf } from './connections.ts'
import type { Middleware, RequestContext } from './environment.ts'

/** Large answers of one principal at a time, and how many of theirs may wait how long. */
const LIMITS = { size: 2, queueSize: 8, queueMs: 60_000 }

/** A place that is given back once the answer has been sent. */
export interface HeldPlace extends LargePlace {
  /** The body that is sent with the place, which is given back when the last of it has gone, or nobody takes it any more. */
  sending(stream: (onEnd: () => void) => ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** The request has been answered: gives the place back, unless a body is being sent with it. */
  answered(): void
}

/** The places of all principals. */
interface LargeAnswers {
  /** A place for one request, not yet taken; `signal` ends the wait for it. */
  placeOf(principal: string, signal?: AbortSignal): HeldPlace
}

/** Nobody has a place yet. */
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
          // A gate with room lets in at once.
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

/** Gives each request a place among the large answers of whoever asks, to be taken where its answer is one. */
export function largePlaces(): Middleware {
  const answers = createLargeAnswers()
  return async (context, next) => {
    const place = answers.placeOf(callerOf(context), context.req.raw.signal)
    context.set('large', place)
    try {
      await next()
    } finally {
      // A body that goes out in pieces keeps it until it has gone.
      place.answered()
    }
  }
}

// Where nobody signs in, one careless page does not hold the places of everybody.
function callerOf(context: RequestContext): string {
  const { id, kind } = context.get('principal')
  return kind === 'anonymous' ? `${id}@${addressOf(context.env?.incoming?.socket ?? {})}` : id
}

/** A large body as it will be sent. */
interface LargeBody {
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
