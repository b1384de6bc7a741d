import { createRoute, z } from '@hono/zod-openapi'
import { amount } from '../../../core/amount.ts'
import type { Engine } from '../../../engine/engine.ts'
import { changedRow } from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { ROWS_PARAMETERS, STEP_TEXTS } from '../../presentation/parameters.ts'
import { askOptions } from '../access/ask-options.ts'
import { answerResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { inAnyFormat, NUMBER_HEADERS, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses, QUERY_CODES } from '../openapi/errors.ts'
import { metricParameter } from '../openapi/metric-parameters.ts'
import { queryOf } from '../openapi/query-parameters.ts'
import { pageOf } from '../openapi/response.ts'
import { fromQuery } from '../request.ts'
import { type App, serve } from '../serve.ts'

/** A row with the fields that only the rows of a step have. */
const DOCUMENTED_ROW = changedRow('cents')
  .partial({ before: true, after: true, difference: true })
  .meta({ id: 'CountedRow', description: 'A row behind a number' })

const ABOUT = `A row is the smallest thing that the number counts: a subscription for a level, a movement for a flow, a customer, an invoice, a charge
or a trial. Pass the parameters of the query, and the key columns of the number in its answer: \`period\`, \`movement_type\`,
\`cohort_month\`, \`active_month\`, and \`group\` for each dimension. The largest absolute amounts come first. \`sum\` is the sum over all rows,
not only over the page, and equals the number exactly. Files have all rows unless \`limit\` is given. An error names the measures and
the keys that are allowed. With \`from\`, \`to\` and \`bridge_step\`, the rows are those that this step of the bridge changes, each with what it adds
before and after, and \`sum\` is the difference of the step.`

const stepParameter = (name: keyof typeof STEP_TEXTS, example?: string) =>
  z
    .string()
    .optional()
    .meta({ param: { description: STEP_TEXTS[name] }, ...(example !== undefined && { example }) })

/** Parameters that name a step of a bridge. */
const STEP = {
  from: stepParameter('from'),
  to: stepParameter('to'),
  bridge_step: stepParameter('bridge_step', 'quantity'),
}

const PAGE = pageOf(DOCUMENTED_ROW)
  .extend({
    measure: z.string().describe('The number whose rows these are'),
    sum: amount(z.int().describe('The number: what all rows add up to, in cents or as a count')),
  })
  .meta({ id: 'CountedRowPage', description: 'A page of the rows behind a number' })

/** The rows behind one number of a metric. Register it before the generic query: that would match its path. */
export function registerMetricRows(app: App, engine: Pick<Engine, 'metrics' | 'metric' | 'metricRows'>): void {
  serve(
    app,
    described(engine),
    async (context) => {
      const metric = context.req.param('metric')
      context.set('query', engine.metrics().includes(metric) ? `${metric}.rows` : 'unknown')
      const request = fromQuery(context)
      const isWhole = request.format !== 'json'
      const answer = await askOperation(
        (params, spec, options) => engine.metricRows(metric, params, spec, { ...options, isWhole }),
        request,
        askOptions(context),
      )
      return answerResponse(answer, request, context, engine.metric(metric))
    },
    conditional(),
  )
}

function described(engine: Pick<Engine, 'metrics' | 'metric'>) {
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  const measures = definitions.flatMap(({ name, queries }) =>
    Object.entries(queries).flatMap(([query, { rows = {} }]) =>
      Object.keys(rows).length === 0 ? [] : [`${name} ${query}: ${Object.keys(rows).join(', ')}`],
    ),
  )
  return createRoute({
    method: 'get',
    path: '/api/metrics/{metric}/rows',
    operationId: 'metric_rows',
    tags: ['Generic query'],
    summary: 'List the rows behind a number',
    description: `${ABOUT} Measures by query, the default first: ${measures.join('. ')}.`,
    request: { params: metricParameter(engine.metrics()), query: z.object({ ...queryOf(ROWS_PARAMETERS).shape, ...STEP }) },
    responses: {
      200: inAnyFormat('A page of rows, with the number they add up to', PAGE, NUMBER_HEADERS),
      304: UNCHANGED,
      ...errorResponses(['unknown_metric', ...QUERY_CODES]),
    },
  })
}
