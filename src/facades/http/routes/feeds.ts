import { createRoute, z } from '@hono/zod-openapi'
import { AppError } from '../../../core/errors.ts'
import type { Engine, OpenedLink } from '../../../engine/engine.ts'
import { chartAnswer } from '../../presentation/briefing/dashboard.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import type { LinkVisits } from '../link-visits.ts'
import { UNCHANGED } from '../openapi/answers.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { openLink } from './shared.ts'

const FORMATS = ['csv', 'json'] as const

const feed = createRoute({
  tags: ['Links'],
  method: 'get',
  path: '/feed/{file}',
  operationId: 'feed',
  summary: 'The rows of a shared chart',
  description:
    'For spreadsheets, which cannot send headers: the token of the link is the name of the file. The rows are those of the saved question at that minute. A feed shows no customers, and it answers 60 times a minute.',
  request: { params: z.object({ file: z.string().describe('`<token>.csv` or `<token>.json`') }) },
  responses: {
    200: {
      ...jsonResponse('The rows', z.unknown(), ['etag']),
      content: { 'application/json': { schema: z.unknown() }, 'text/csv': { schema: z.string() } },
    },
    304: UNCHANGED,
    ...errorResponses(['not_found', ...DATABASE_CODES]),
  },
})

/** The feeds of links. */
export function registerFeeds(
  app: App,
  engine: Engine,
  { visits, today }: { readonly visits: LinkVisits; readonly today: () => string },
): void {
  serve(
    app,
    feed,
    async (context) => {
      context.set('query', 'feed')
      const [, token = '', ending] = /^([^.]*)\.([a-z]+)$/.exec(context.req.param('file')) ?? []
      const format = FORMATS.find((one) => one === ending)
      if (format === undefined) throw new AppError('not_found', 'A feed ends with .csv or .json.')
      const opened = await openLink(context, engine, visits, token, 'feed')
      const chart = chartOf(opened)
      const answer = await visits.answer(opened.link.id, JSON.stringify(chart.config), () => chartAnswer(engine, chart, today()))
      const response = await answerResponse(answer, { params: {}, spec: {}, issues: [], format }, context)
      // The name of the file would be the token.
      response.headers.set('content-disposition', `attachment; filename="feed.${format}"`)
      return response
    },
    conditional(),
  )
}

function chartOf({ shown }: OpenedLink) {
  if (!('chart' in shown)) throw new AppError('not_found', 'This link is no feed.')
  return shown.chart
}
