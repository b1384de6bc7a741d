import type { Socket } from 'node:net'
import { AppError } from '../../core/errors.ts'
import type { RawInput } from '../../engine/contract.ts'
import type { Answer, AskOptions, Engine, Origin } from '../../engine/engine.ts'
import { type Identity, linesOf, type Question, receivedError, replySchema } from './messages.ts'
import { connectTo } from './place.ts'

/** A service that says nothing for this long is asked no longer. It gives a sign of life every two seconds. */
const SILENCE_MS = 10_000

/** The service that an engine may ask. */
interface AskedService {
  /** The directory of the cache, or why there is none, as the end of a sentence. */
  readonly place: { readonly directory: string } | { readonly none: string }
  readonly identity: Identity
  /**
   * Opens the cache that an earlier process has left, unless it is open. It is called each time before the engine answers itself. Resolves to
   * null if the cache is open, else to the reason why not, as the end of a sentence.
   */
  readonly restore?: () => Promise<string | null>
  /** Milliseconds of silence after which the service is asked no longer. */
  readonly silenceMs?: number
}

type Outcome =
  | { readonly answer: Answer; readonly origin: Origin }
  | { readonly refusal: AppError }
  /** Why the service gave no answer, as the end of a sentence. */
  | { readonly alone: string }

/**
 * The engine, with the answers of a service on this machine where it gives them. The service answers what the engine would: it has the same
 * version, database, store and definitions. If it cannot answer, or ends half-way, the engine answers itself.
 */
export function askingService(engine: Engine, service: AskedService): Engine {
  const through = async (question: Question, options: AskOptions, own: (options: AskOptions) => Promise<Answer>) => {
    const found = await outcomeOf(question, options, service)
    if ('refusal' in found) throw found.refusal
    if ('answer' in found) {
      options.onOrigin?.(found.origin)
      return found.answer
    }
    const stored = options.signal?.aborted === true ? undefined : await service.restore?.()
    const kept = { isStored: stored === null, ...(typeof stored === 'string' && { unstored: stored }) }
    return own({ ...options, onOrigin: (origin) => options.onOrigin?.({ ...origin, ...kept, alone: found.alone }) })
  }
  return {
    ...engine,
    query: (metric, params = {}, spec = {}, options = {}) =>
      through(questionOf('query', metric, params, spec), options, (own) => engine.query(metric, params, spec, own)),
    metricRows: (metric, params = {}, spec = {}, { isWhole = false, ...options } = {}) =>
      // All rows are for a file. The service gives pages.
      isWhole
        ? engine.metricRows(metric, params, spec, { ...options, isWhole })
        : through(questionOf('metricRows', metric, params, spec), options, (own) => engine.metricRows(metric, params, spec, own)),
    summary: (params = {}, spec = {}, options = {}) =>
      through(questionOf('summary', '', params, spec), options, (own) => engine.summary(params, spec, own)),
    list: (name, params = {}, spec = {}, options = {}) =>
      // The cache holds no invoices.
      name === 'invoices'
        ? engine.list(name, params, spec, options)
        : through(questionOf('list', name, params, spec), options, (own) => engine.list(name, params, spec, own)),
    customer: (id, params = {}, spec = {}, options = {}) =>
      through(questionOf('customer', id, params, spec), options, (own) => engine.customer(id, params, spec, own)),
  }
}

function questionOf(call: Question['call'], name: string, params: RawInput, spec: RawInput): Question {
  return { call, name, params: { ...params }, spec: { ...spec } }
}

async function outcomeOf(
  question: Question,
  options: AskOptions,
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
    socket.write(`${JSON.stringify({ identity, question })}\n`)
    const found = await conversation(socket)
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

async function conversation(socket: Socket): Promise<Outcome> {
  let service: Origin['service']
  let head: { readonly answer: object; readonly source: Origin['source'] } | undefined
  let answer: Answer | undefined
  for await (const line of linesOf(socket)) {
    if (head !== undefined && answer === undefined) {
      answer = { ...head.answer, data: JSON.parse(line) } as Answer
      continue
    }
    const reply = replySchema.parse(JSON.parse(line))
    if ('declined' in reply) return { alone: reply.declined }
    if ('refused' in reply) return { refusal: receivedError(reply.refused) }
    if ('accepted' in reply) service = reply.accepted
    if ('answer' in reply) head = reply
    if ('end' in reply && answer !== undefined && head !== undefined && service !== undefined)
      return { answer, origin: { source: head.source, service } }
  }
  return { alone: 'the service ended half-way' }
}
