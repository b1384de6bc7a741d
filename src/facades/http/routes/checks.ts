import { createRoute, z } from '@hono/zod-openapi'
import { errorFromIssues } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { INSTANT } from '../../../workspace/records/fields.ts'
import { mustBe, oneOf, refuseParameters } from '../../presentation/parameters.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'

const command = z.string().optional().describe('Command that resolves the finding')
const setting = z.string().optional().describe('Lines of the configuration file that resolve the finding')

const step = z
  .object({
    name: z.string(),
    title: z.string(),
    state: z.enum(['done', 'todo', 'attention']).describe('`attention`: a finding is a warning or a failure'),
    message: z.string(),
    command,
    setting,
  })
  .meta({ id: 'SetupStep', description: 'A step of the setup. Its message is that of its findings' })

const finding = z
  .object({
    name: z.string(),
    level: z.enum(['ok', 'todo', 'warning', 'failure']).describe('`todo`: nothing is wrong, but a step of the setup is open'),
    message: z.string(),
    command,
    setting,
  })
  .meta({ id: 'CheckFinding', description: 'A line of `plumbline check`' })

const checks = z
  .object({
    checked_at: INSTANT,
    setup: z.array(step).readonly().nullable().describe('The steps of the setup in their order. Null for the sample data'),
    findings: z.array(finding).readonly(),
  })
  .meta({ id: 'Checks', description: 'The findings of `plumbline check`, and the steps of the setup' })

const reading = createRoute({
  method: 'get',
  path: '/api/checks',
  operationId: 'checks',
  tags: ['Health'],
  summary: 'Check the setup',
  description:
    'The findings of `plumbline check`. They name rights and addresses, and no secret. Findings are at most a minute old. With `refresh=true` they are at most two seconds old. Only one check runs at a time.',
  request: { query: z.object({ refresh: z.enum(['true', 'false']).optional().describe('`true`: check again') }) },
  responses: {
    200: jsonResponse('The findings', checks),
    ...errorResponses(['invalid_value', ...DATABASE_CODES]),
  },
})

/** The findings of `plumbline check`, as the dashboard shows them. */
export function registerChecks(app: App, { checks: read }: Pick<Engine, 'checks'>): void {
  serve(app, reading, async (context) => {
    const { findings, ...others } = await read({ refresh: readRefresh(parametersOf(context)) })
    return context.json({ ...others, findings: findings.map(({ logged: _, ...finding }) => finding) }, 200)
  })
}

const BOOLEANS = ['true', 'false']

function readRefresh({ refresh, ...others }: Readonly<Record<string, unknown>>): boolean {
  refuseParameters(others)
  if (refresh === undefined || BOOLEANS.some((text) => text === refresh)) return refresh === 'true'
  const message = mustBe('refresh', oneOf(BOOLEANS), refresh)
  throw errorFromIssues([{ code: 'invalid_value', where: 'query.refresh', value: refresh, message, did_you_mean: [] }])
}
