import { createLargeAnswers } from '../presentation/large-answers.ts'
import { addressOf } from './connections.ts'
import type { Middleware, RequestContext } from './environment.ts'

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
