import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { objectSchema, SUMMARY_ANSWER } from '../../../engine/shapes.ts'
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

const ABOUT = `Levels, such as MRR, are as of the end of the day \`end\`. Net new MRR, churn and retention cover the rate window: the last full
calendar month that ends on or before \`end\`. LTV, trial conversion and quick ratio cover the trailing window: the 365 days up to and
including \`end\`. With \`start\` and \`end\`, both windows are that range. \`nrr_12_months\` and \`grr_12_months\` always cover the 365 days up to
\`end\`, and \`net_new_mrr_so_far\` the days of its month. Each value equals the result of its metric's endpoint for the
same days. You can use the filters that all metrics support: \`source\`, \`source_id\`, \`tenant\`, \`customer_id\`, \`customer_name\`, \`customer_country\`,
\`cohort_month\`, \`customer_created_month\`, \`customer.X\` and \`attr.X\`. With \`compare_segments\`, the response is a list with one object per
segment. Each begins with \`segment_id\` and \`segment_name\`. With \`compare_to\`, each value is followed by the one of the earlier day or range, and
by the difference. With \`forecast=true\`, \`mrr_in_trial\` and \`mrr_scheduled_to_cancel\` are added.`

const OF_TWO_TIMES = objectSchema(SUMMARY_ANSWER).meta({
  id: 'ComparedSummary',
  description: 'The headline metrics with `compare_to`',
})

const COMPARED = z
  .strictObject({
    segment_id: z.string().describe('Id of the segment'),
    segment_name: z.string().describe('Name of the segment'),
    ...SUMMARY_ANSWER.shape,
  })
  .meta({ id: 'SegmentSummary', description: 'The headline metrics of one compared segment' })

const HEADERS = ['x-data-through', 'x-definitions', 'x-compared-with', 'x-warnings', 'x-warning-details', 'etag'] as const

const PARAMETERS = named(
  [
    'start',
    'end',
    'range',
    'at',
    'segment',
    'compare_segments',
    'compare_to',
    'filter',
    'format',
    'money',
    'definitions',
    'explain',
    'forecast',
  ],
  {
    end: 'Day of the levels and end of the windows. Default: today.',
    at: 'Same as `end`.',
  },
)

const summary = createRoute({
  method: 'get',
  path: '/api/metrics/summary',
  operationId: 'summary',
  tags: ['Summary'],
  summary: 'Get the headline metrics',
  description: ABOUT,
  request: { query: queryOf(PARAMETERS) },
  responses: {
    200: inAnyFormat('The headline metrics', z.union([SUMMARY_ANSWER, OF_TWO_TIMES, z.array(COMPARED)]), HEADERS),
    304: UNCHANGED,
    ...errorResponses(QUERY_CODES),
  },
})

/** The headline metrics. Register it before the metrics: their generic POST would match this path. */
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
