import { createLargeAnswers } from '../engine/facade/large-answers.ts'
import type { Middleware } from './environment.ts'

/** Gives each request a place among the large answers of whoever asks, to be taken where its answer is one. */
export function largePlaces(): Middleware {
  const answers = createLargeAnswers()
  return async (context, next) => {
    const place = answers.placeOf(context.get('principal').id, context.req.raw.signal)
    context.set('large', place)
    try {
      await next()
    } finally {
      // A body that goes out in pieces keeps it until it has gone.
      place.answered()
    }
  }
}
