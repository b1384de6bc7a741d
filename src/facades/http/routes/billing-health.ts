import { createRoute } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import {
  acceptedByList,
  FINDING_INPUTS,
  FINDING_ROW,
  HEALTH_ANSWER,
  HEALTH_INPUTS,
  type ListInputs,
  plainFilter,
} from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { dataResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { inAnyFormat, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { pageOf } from '../openapi/response.ts'
import { fromQuery } from '../request.ts'
import { type App, serve } from '../serve.ts'

const CODES: readonly ErrorCode[] = [
  'unknown_dimension',
  'unknown_filter',
  'unknown_attribute',
  'invalid_value',
  'invalid_interval',
  'invalid_range',
  'unknown_segment',
  'not_acceptable',
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'replica_lagging',
  'query_timeout',
  'internal',
]

const HEADERS = ['x-data-through', 'x-warnings', 'x-warning-details', 'etag'] as const

const health = createRoute({
  method: 'get',
  path: '/api/billing-health',
  operationId: 'billing_health',
  tags: ['Data'],
  summary: 'Compare agreed with billed amounts',
  description:
    'What customers agreed to, compared with what the billing engine charged, for each day of each subscription. Differences are grouped by their cause. Amounts in the base currency have the rate of the last day.',
  request: { query: queryOf(parametersOf(HEALTH_INPUTS)) },
  responses: {
    200: inAnyFormat('The sums, and the classes with findings', HEALTH_ANSWER, HEADERS),
    304: UNCHANGED,
    ...errorResponses(CODES),
  },
})

const findings = createRoute({
  method: 'get',
  path: '/api/billing-health/findings',
  operationId: 'billing_findings',
  tags: ['Data'],
  summary: 'List subscriptions billed otherwise than agreed',
  description:
    'One row for each subscription and class. The largest amount of a month comes first, then the largest difference. The evidence is read from the billing database. CSV contains the rows of the page.',
  request: { query: queryOf(parametersOf(FINDING_INPUTS)) },
  responses: {
    200: inAnyFormat('A page of findings, with the total number', pageOf(FINDING_ROW), HEADERS),
    304: UNCHANGED,
    ...errorResponses(CODES),
  },
})

/** Agreed amounts compared with billed amounts (http-api.md 12). */
export function registerBillingHealth(app: App, engine: Pick<Engine, 'billingHealth' | 'billingFindings'>): void {
  serve(
    app,
    health,
    async (context) => {
      context.set('query', 'billing_health')
      const request = fromQuery(context)
      const answer = await askOperation(engine.billingHealth, request, { signal: context.req.raw.signal })
      return dataResponse(answer, request, context)
    },
    conditional(),
  )
  serve(
    app,
    findings,
    async (context) => {
      context.set('query', 'billing_findings')
      const request = fromQuery(context)
      const answer = await askOperation(engine.billingFindings, request, { signal: context.req.raw.signal })
      return dataResponse(answer, request, context)
    },
    conditional(),
  )
}

function parametersOf(inputs: ListInputs) {
  const keys = inputs.fields.map((field) => `\`${field.key}\``).join(', ')
  const plain = inputs.fields.map((field) => plainFilter(field, field.known))
  const common = named(acceptedByList(inputs), {
    start: 'First day, local to each account. Default: 90 days up to `end`.',
    end: 'Last day, local to each account. Default and latest: yesterday.',
    filter: `\`key=value\`. Keys: ${keys}, and every field of a segment, such as \`customer_country\` or \`attr.tier\`, for the customers that match now. Repeat a key to match any of its values.`,
  })
  return [...plain, ...common]
}
