import type { Socket } from 'node:net'
import { AppError } from '../../core/errors.ts'
import type { Engine, Origin } from '../../engine/engine.ts'
import { answeredBy, askEngine, type Question, type QuestionOptions, type Result } from './calls.ts'
import { type Identity, linesOf, receivedError, replySchema } from './messages.ts'
import { connectTo } from './place.ts'

/** A service that says nothing for this long is asked no longer. It gives a sign of life every two seconds. */
const SILENCE_MS = 10_000

/** The service that an engine may ask. */
interface AskedService {
  /** The directory of the cache, or why there is none, as the end of a sentence. */
  readonly place: { readonly directory: string } | { readonly none: string }
  /** Called when a service listens. */
  readonly identity: () => Identity
  /**
   * Opens the cache that an earlier process has left, unless it is open. It is called each time before the engine itself reads the cache. Resolves
   * to null if the cache is open, else to the reason why not, as the end of a sentence.
   */
  readonly restore?: () => Promise<string | null>
  /** Milliseconds of silence after which the service is asked no longer. */
  readonly silenceMs?: number
}

type Outcome =
  | { readonly answer: Result; readonly origin: Origin }
  | { readonly refusal: AppError }
  /** Why the service gave no answer, as the end of a sentence. */
  | { readonly alone: string }

/**
 * The engine, with the answers of a service on this machine where it gives them. The service answers what the engine would: it has the same
 * build, database, store and definitions. If it cannot answer, or ends half-way, the engine answers itself.
 */
export function askingService(engine: Engine, service: AskedService): Engine {
  // Undefined as long as no question has needed the stored cache.
  let stored: string | null | undefined
  const openCache = async () => {
    stored = await service.restore?.()
  }
  const ask = async (question: Question, options: QuestionOptions): Promise<Result> => {
    const found = await outcomeOf(question, options, service)
    if ('refusal' in found) throw found.refusal
    if ('answer' in found) {
      options.onOrigin?.(found.origin)
      return found.answer
    }
    const onOrigin = (origin: Origin) => {
      const kept = { isStored: stored === null, ...(typeof stored === 'string' && { unstored: stored }) }
      options.onOrigin?.({ ...origin, ...kept, alone: found.alone })
    }
    return askEngine(engine, question, { ...options, openCache, onOrigin })
  }
  return answeredBy(ask, engine)
}

async function outcomeOf(
  question: Question,
  options: QuestionOptions,
  { place, identity, silenceMs = SILENCE_MS }: AskedService,
): Promise<Outcome> {
  const { signal, disclosing, numbersOnly, large } = options
  if ('none' in place) return { alone: place.none }
  // A question that only wants its refusal needs no service. This process decides about disclosures.
  if (signal?.aborted === true || disclosing !== undefined || numbersOnly === true || large !== undefined)
    return { alone: 'the question is not for a service' }
  const socket = await connectTo(place.directory)
  if (typeof socket === 'string') return { alone: socket }
  const leave = () => socket.destroy()
  signal?.addEventListener('abort', leave, { once: true })
  socket.setTimeout(silenceMs, leave)
  // The lines end with the connection, and an error ends the connection.
  socket.on('error', () => {})
  try {
    socket.write(`${JSON.stringify({ identity: identity(), question })}\n`)
    const found = await conversation(socket, options.onProgress)
    signal?.throwIfAborted()
    return found
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof AppError) throw error
    return { alone: 'the service ended half-way' }
  } finally {
    signal?.removeEventListener('abort', leave)
    socket.destroy()
  }
}

async function conversation(socket: Socket, onProgress: QuestionOptions['onProgress']): Promise<Outcome> {
  let service: Origin['service']
  let head: { readonly answer: object; readonly source: Origin['source'] } | undefined
  let answer: Result | undefined
  for await (const line of linesOf(socket)) {
    if (head !== undefined && answer === undefined) {
      answer = { ...head.answer, data: JSON.parse(line) } as Result
      continue
    }
    const reply = replySchema.parse(JSON.parse(line))
    if ('declined' in reply) return { alone: reply.declined }
    if ('refused' in reply) return { refusal: receivedError(reply.refused) }
    if ('accepted' in reply) service = reply.accepted
    if ('progress' in reply) {
      const { done, all, check } = reply.progress
      onProgress?.(done, all, check === undefined ? undefined : { name: check })
    }
    if ('answer' in reply) head = reply
    if ('end' in reply && answer !== undefined && head !== undefined && service !== undefined)
      return { answer, origin: { source: head.source, service } }
  }
  return { alone: 'the service ended half-way' }
}
