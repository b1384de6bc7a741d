import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { SUMMARY_ANSWER } from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { askOptions } from '../access/ask-options.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { MethodNotAllowed } from '../errors.ts'
import { inAnyFormat, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses, QUERY_CODES } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { fromQuery } from '../request.ts'
import { type App, serve } from '../serve.ts'

const ABOUT = `Levels hold at the end of \`end\`. Net new MRR, churn and retention cover the rate window: the last full calendar month
ending on or before \`end\`. LTV, trial conversion and quick ratio cover the trailing window: the 365 days up to and including \`end\`. With
\`start\` and \`end\` both windows are that range. Each figure is what its own endpoint answers for the same days. Filters are those that
every metric offers: \`source\`, \`source_id\`, \`customer_id\`, \`customer_name\`, \`customer_country\`, \`cohort_month\`,
\`customer_created_month\`, \`customer.X\` and \`attr.X\`. With \`compare_segments\` the answer is a list, one object for each
segment with its \`segment_id\` and \`segment_name\` first.`

const COMPARED = z
  .strictObject({
    segment_id: z.string().describe('Id of the segment'),
    segment_name: z.string().describe('Its name'),
    ...SUMMARY_ANSWER.shape,
  })
  .meta({ id: 'SegmentSummary', description: 'The headline figures of one of the segments compared' })

const HEADERS = ['x-data-through', 'x-definitions', 'x-warnings', 'x-warning-details', 'etag'] as const

const PARAMETERS = named(['start', 'end', 'range', 'at', 'segment', 'compare_segments', 'filter', 'format', 'money'], {
  end: 'Day of the levels (UTC), end of the windows. Default today.',
  at: 'The same as end.',
})

const summary = createRoute({
  method: 'get',
  path: '/api/metrics/summary',
  operationId: 'summary',
  tags: ['Summary'],
  summary: 'Headline figures for a day or a range',
  description: ABOUT,
  request: { query: queryOf(PARAMETERS) },
  responses: {
    200: inAnyFormat('The figures', z.union([SUMMARY_ANSWER, z.array(COMPARED)]), HEADERS),
    304: UNCHANGED,
    ...errorResponses(QUERY_CODES),
  },
})

/** The headline figures. To be registered before the metrics, whose generic POST would take the path for a metric's. */
export function registerSummary(app: App, engine: Pick<Engine, 'metric' | 'summary'>): void {
  serve(
    app,
    summary,
    async (context) => {
      context.set('query', 'summary')
      const request = fromQuery(context)
      const answer = await askOperation(
        (params, spec, options) => engine.summary(params, spec, options),
        request,
        askOptions(context),
      )
      return answerResponse(answer, request, context, engine.metric('summary'))
    },
    conditional(),
  )
  app.all(summary.getRoutingPath(), (context) => {
    throw new MethodNotAllowed(context.req.method, ['GET', 'HEAD'])
  })
}
