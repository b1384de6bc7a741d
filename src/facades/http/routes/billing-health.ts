import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import {
  FINDING_INPUTS,
  FINDING_ROW,
  HEALTH_ANSWER,
  HEALTH_INPUTS,
  type ListInputs,
  NOTICE_INPUTS,
  NOTICE_LIST,
  NOTICE_ROW,
} from '../../../engine/shapes.ts'
import { inAnyFormat, RECORD_HEADERS, UNCHANGED } from '../openapi/answers.ts'
import { errorResponses, RECORD_CODES } from '../openapi/errors.ts'
import { queryOf, recordParameters } from '../openapi/query-parameters.ts'
import { pageOf } from '../openapi/response.ts'
import type { App } from '../serve.ts'
import { serveRecords } from '../serve-records.ts'

const health = createRoute({
  method: 'get',
  path: '/api/billing-health',
  operationId: 'billing_health',
  tags: ['Data'],
  summary: 'Compare agreed with billed amounts',
  description:
    'What customers agreed to, compared with what the billing engine charged, for each day of each subscription. Differences are grouped by their cause. Findings that are marked as no error are in `marked` and in no other sum. Amounts in the base currency have the rate of the last day.',
  request: { query: queryOf(parametersOf(HEALTH_INPUTS)) },
  responses: {
    200: inAnyFormat('The sums, and the classes with findings', HEALTH_ANSWER, RECORD_HEADERS),
    304: UNCHANGED,
    ...errorResponses(RECORD_CODES),
  },
})

const findings = createRoute({
  method: 'get',
  path: '/api/billing-health/findings',
  operationId: 'billing_findings',
  tags: ['Data'],
  summary: 'List subscriptions billed otherwise than agreed',
  description:
    'One row for each subscription and class. The largest amount of a month comes first, then the largest difference. The evidence is read from the billing database. All findings are listed, unless `mark` chooses. CSV contains the rows of the page.',
  request: { query: queryOf(parametersOf(FINDING_INPUTS)) },
  responses: {
    200: inAnyFormat('A page of findings, with the total number', pageOf(FINDING_ROW), RECORD_HEADERS),
    304: UNCHANGED,
    ...errorResponses(RECORD_CODES),
  },
})

const notices = createRoute({
  method: 'get',
  path: '/api/billing-health/notices',
  operationId: 'billing_notices',
  tags: ['Data'],
  summary: 'List what else about billing needs a look',
  description:
    'Lists of everything that a person must look at, apart from the findings: add-ons without entitlement, customers at risk, silent accounts, subscriptions without a price, usage and invoices that nobody collects, and prices below the list. `lists` has the sums of each list, without rows that are marked as no error. All rows are listed, unless `mark` chooses. The rows with the largest amount of a month come first. CSV contains the rows of the page.',
  request: { query: queryOf(recordParameters(NOTICE_INPUTS, {})) },
  responses: {
    200: inAnyFormat(
      'A page of notices, with the sums of all lists',
      pageOf(NOTICE_ROW)
        .extend({ lists: z.array(NOTICE_LIST).readonly().describe('The sums of each list, also of those without rows') })
        .meta({ id: 'BillingNoticePage', description: 'A page of notices' }),
      RECORD_HEADERS,
    ),
    304: UNCHANGED,
    ...errorResponses(RECORD_CODES),
  },
})

/** Agreed amounts compared with billed amounts (http-api.md 12). */
export function registerBillingHealth(
  app: App,
  engine: Pick<Engine, 'billingHealth' | 'billingFindings' | 'billingNotices'>,
): void {
  serveRecords(app, health, 'billing_health', () => engine.billingHealth)
  serveRecords(app, findings, 'billing_findings', () => engine.billingFindings)
  serveRecords(app, notices, 'billing_notices', () => engine.billingNotices)
}

function parametersOf(inputs: ListInputs) {
  return recordParameters(inputs, {
    start: 'First day, local to each account. Default: 90 days up to `end`.',
    end: 'Last day, local to each account. Default and latest: yesterday.',
  })
}
