import { askOperation, type Operation } from '../presentation/ask.ts'
import { askOptions } from './access/ask-options.ts'
import { dataResponse } from './answer.ts'
import { conditional } from './conditional.ts'
import type { RequestContext } from './environment.ts'
import { fromQuery } from './request.ts'
import { type App, serve } from './serve.ts'

/** Registers an operation that answers records (http-api.md 5). `query` names it in logs and counters. */
export function serveRecords(
  app: App,
  route: Parameters<typeof serve>[1],
  query: string,
  operationOf: (context: RequestContext) => Operation,
): void {
  serve(
    app,
    route,
    async (context) => {
      context.set('query', query)
      const request = fromQuery(context)
      const { large: _, ...options } = askOptions(context)
      const answer = await askOperation(operationOf(context), request, options)
      return dataResponse(answer, request, context)
    },
    conditional(),
  )
}
