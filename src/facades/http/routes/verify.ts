import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { TIME_LIMIT, VERIFY_CHECKS } from '../../../engine/shapes.ts'
import { INSTANT } from '../../../workspace/records/fields.ts'
import { refuseParameters } from '../../presentation/parameters.ts'
import { errorResponses, QUERY_CODES } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const side = z.number().nullable().optional()

const check = z
  .object({
    name: z.string(),
    ok: z
      .boolean()
      .nullable()
      .describe(
        'Null: the check does not apply to this data, or the time was over before any part of it was checked. The message says why',
      ),
    expected: side.describe('Of an equation that holds, or of the first fault'),
    actual: side,
    difference: z.number().optional().describe('actual - expected'),
    count: z.number().int().nonnegative().describe('Number of comparisons'),
    is_complete: z
      .boolean()
      .describe('False if parts were not checked, mostly because the time was over. True for a check that does not apply'),
    parts: z.number().int().nonnegative().describe('Parts of the check; 0 if it does not apply'),
    parts_done: z.number().int().nonnegative().describe('Parts that were checked'),
    message: z.string(),
    ids: z
      .array(z.string())
      .readonly()
      .describe('The first things that are wrong, at most ten: ids of customers and records, or names of questions and groups'),
  })
  .meta({ id: 'VerifyCheck', description: 'The result of a check' })

const report = z
  .object({
    ok: z.boolean().describe('False if a check failed'),
    is_complete: z.boolean().describe('False if a check is not complete'),
    start: z.iso.date(),
    end: z.iso.date(),
    checks: z.array(check).readonly(),
    data_through: INSTANT.nullable().describe(
      'Instant up to which the data is complete. Null: the lag of the replica is unknown, or the time was over before a snapshot',
    ),
  })
  .meta({ id: 'VerifyReport', description: 'The results of all checks of a range' })

const list = z
  .object({
    checks: z
      .array(
        z.object({
          name: z.enum(VERIFY_CHECKS),
          description: z.string().describe('What holds if nothing is wrong'),
          identities: z.array(z.string()).readonly().describe('Identities of the definitions that it checks'),
        }),
      )
      .readonly(),
    unchecked: z
      .array(z.object({ identity: z.string(), reason: z.string() }))
      .readonly()
      .describe('Identities that no check covers'),
  })
  .meta({ id: 'VerifyChecks', description: 'The checks of a verification' })

const running = createRoute({
  method: 'get',
  path: '/api/verify',
  operationId: 'verify',
  tags: ['Trust'],
  summary: 'Verify the data',
  description:
    'Checks identities between answers, the completeness of rates and prices, the history tables of the billing engine, and the cache. The status is 200 also if a check fails. One verification runs at a time, and it may take two minutes. It ends when the client leaves.',
  request: {
    query: z.object({
      start: z.iso.date().optional().describe('First day. Default: 364 days before `end`'),
      end: z.iso.date().optional().describe('Last day. Default: today'),
      check: z.array(z.enum(VERIFY_CHECKS)).optional().describe('Only these checks; repeatable. Default: all'),
      time_limit_s: TIME_LIMIT.schema
        .optional()
        .describe(
          'Seconds for all checks together, from 1 to 600. Default: 120. Parts for which they are too short are not checked',
        ),
    }),
  },
  responses: { 200: jsonResponse('The results', report), ...errorResponses(QUERY_CODES) },
})

const listing = createRoute({
  method: 'get',
  path: '/api/verify/checks',
  operationId: 'verify_checks',
  tags: ['Trust'],
  summary: 'List the checks',
  responses: {
    200: jsonResponse('The checks, in the order in which they run', list),
    ...errorResponses(['invalid_value', 'internal']),
  },
})

/** Checks of the user's own data. */
export function registerVerify(app: App, { verification }: Pick<Engine, 'verification'>): void {
  serve(app, listing, (context) => {
    refuseParameters(parametersOf(context))
    return context.json(verification.list(), 200)
  })
  serve(app, running, async (context) =>
    context.json(await verification.run(parametersOf(context), { signal: context.req.raw.signal }), 200),
  )
}
