import { createRoute, z } from '@hono/zod-openapi'
import type { Engine, Goal } from '../../../engine/engine.ts'
import { updated } from '../../../workspace/records/define-record.ts'
import { GOAL } from '../../../workspace/records/goal.ts'
import { seesCustomers } from '../access/ask-options.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { DELETED, jsonBody, jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { signedIn } from '../signed-in.ts'

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
