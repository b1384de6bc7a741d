import { createRoute, z } from '@hono/zod-openapi'
import type { Engine, Goal, GoalImportOptions } from '../../../engine/engine.ts'
import { updated } from '../../../workspace/records/define-record.ts'
import { GOAL } from '../../../workspace/records/goal.ts'
import { readCsvForm } from '../../presentation/import-options.ts'
import { mustBe } from '../../presentation/parameters.ts'
import { seesCustomers } from '../access/ask-options.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { signedIn } from '../signed-in.ts'
import { CSV_FORM_FIELDS, type ReadFields, readUpload } from '../upload.ts'

const params = z.object({ id: z.string() })
const common = { tags: ['Notes and goals'] }

const all = createRoute({
  ...common,
  path: '/api/goals',
  method: 'get',
  operationId: 'goals',
  summary: 'List goals',
  description:
    'Numbers to reach in months and quarters, sorted by number and period. With the scope `read:aggregate` alone, goals with a `filter` are left out and `created_by` is null, because they can name people.',
  responses: { 200: jsonResponse('The goals', z.array(GOAL.answer).readonly()), ...errorResponses(DATABASE_CODES) },
})

const creation = createRoute({
  ...common,
  path: '/api/goals',
  method: 'post',
  operationId: 'create_goal',
  summary: 'Set a goal',
  description:
    'A number has one goal in a period. A metric that does not have one number in a period is refused, and the message lists the numbers that may have goals. An amount is in the base currency, which the goal keeps.',
  request: { body: jsonBody(GOAL.body.shown) },
  responses: { 201: jsonResponse('The goal', GOAL.answer), ...errorResponses(['conflict', ...WRITE_CODES]) },
})

const one = createRoute({
  ...common,
  path: '/api/goals/{id}',
  method: 'get',
  operationId: 'goal',
  summary: 'Get a goal',
  description: 'Includes `warnings` that say why it is compared with nothing.',
  request: { params },
  responses: { 200: jsonResponse('The goal', GOAL.answer), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

const change = createRoute({
  ...common,
  path: '/api/goals/{id}',
  method: 'put',
  operationId: 'update_goal',
  summary: 'Change the value of a goal',
  description: 'An amount is then in the current base currency.',
  request: { params, body: jsonBody(GOAL.change.shown) },
  responses: { 200: jsonResponse('The goal', updated(GOAL.answer)), ...errorResponses(['not_found', ...WRITE_CODES]) },
})

const deletion = createRoute({
  ...common,
  path: '/api/goals/{id}',
  method: 'delete',
  operationId: 'delete_goal',
  summary: 'Delete a goal',
  description: 'Charts, tiles, briefings and answers then no longer have it.',
  request: { params },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

/** The goals. */
export function registerGoals(app: App, { goals }: Pick<Engine, 'goals'>): void {
  serve(app, all, async (context) => {
    const found = await goals.list()
    return context.json(seesCustomers(context) ? found : withoutPeople(found), 200)
  })
  serve(app, creation, async (context) => {
    const goal = await goals.create(await readJson(context), signedIn(context))
    context.set('made', goal.id)
    return context.json(goal, 201)
  })
  serve(app, one, async (context) => context.json(await goals.get(context.req.param('id')), 200))
  serve(app, change, async (context) => {
    const goal = await goals.update(context.req.param('id'), await readJson(context))
    return context.json({ status: 'updated' as const, ...goal }, 200)
  })
  serve(app, deletion, async (context) => {
    await goals.delete(context.req.param('id'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}

/** Filters can name customers. Without its filter, a goal would be for other customers. */
function withoutPeople(goals: readonly Goal[]): readonly Goal[] {
  return goals.filter(({ filter }) => filter.length === 0).map((goal) => ({ ...goal, created_by: null }))
}

const body = z.object({
  file: z.any().openapi({
    type: 'string',
    format: 'binary',
    description:
      'CSV with a header row. Columns: `metric`, `period`, `value`, and optionally `query_type`. Amounts are in units of the base currency, rates are fractions or have a percent sign',
  }),
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: checks the file and answers what it would change. Nothing is written'),
  ...CSV_FORM_FIELDS,
})

const result = z
  .object({
    rows_read: z.int(),
    dry_run: z.boolean(),
    created: z.int().describe('Number of new goals'),
    changed: z.int().describe('Number of goals that get another value or currency'),
    unchanged: z.int(),
    goals: z
      .array(
        z
          .object({
            metric: z.string(),
            query_type: z.string(),
            measure: z.string(),
            label: z.string(),
            period: z.string(),
            value: z.number().describe('Cents of `currency` for amounts, a fraction, a ratio, or a count'),
            unit: z.enum(['money', 'fraction', 'ratio', 'count']),
            currency: z.string().nullable(),
          })
          .meta({ id: 'ImportedGoal' }),
      )
      .readonly()
      .describe('The goals of the file, in its order'),
  })
  .meta({ id: 'GoalImport', description: 'Result of an import of goals' })

const importing = createRoute({
  method: 'post',
  path: '/api/goals/import',
  operationId: 'import_goals',
  tags: ['Notes and goals'],
  summary: 'Import goals from a CSV file',
  description:
    'A goal replaces that of the same number and period. Goals that the file lacks stay. If anything in the file is wrong, nothing is written: `issues` lists each problem with its row and column.',
  request: { body: { content: { 'multipart/form-data': { schema: body.meta({ id: 'GoalFile' }) } } } },
  responses: {
    200: jsonResponse('Result of the import', result),
    ...errorResponses(['payload_too_large', 'validation_failed', 'invalid_value', 'invalid_csv', ...DATABASE_CODES]),
  },
})

/** The import of goals from a file of at most `csvBytes`. */
export function registerGoalImport(app: App, { goals }: Pick<Engine, 'goals'>, csvBytes: number): void {
  serve(app, importing, async (context) => {
    const by = signedIn(context)
    return context.json(await readUpload(context, csvBytes, readOptions, (file, options) => goals.import(file, options, by)), 200)
  })
}

const readOptions: ReadFields<GoalImportOptions> = (field, report) => {
  const given = field('dry_run')
  if (given !== undefined && given !== 'true' && given !== 'false') {
    const message = mustBe('dry_run', 'true or false', given)
    report({ code: 'invalid_value', where: 'body.dry_run', value: given, message, did_you_mean: [] })
  }
  return { dry_run: given === 'true', ...readCsvForm(field, 'body', report) }
}
