import { createRoute, z } from '@hono/zod-openapi'
import type { Engine } from '../../../engine/engine.ts'
import { acceptedByList, NOTE_INPUTS, plainFilter } from '../../../engine/shapes.ts'
import { updated } from '../../../workspace/records/define-record.ts'
import { NOTE } from '../../../workspace/records/note.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses, WRITE_CODES } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { DELETED, jsonBody, jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'
import { signedIn } from '../signed-in.ts'

const params = z.object({ id: z.string() })
const common = { tags: ['Notes and goals'] }

const all = createRoute({
  ...common,
  path: '/api/notes',
  method: 'get',
  operationId: 'notes',
  summary: 'List notes',
  description:
    'Remarks on days, sorted by day. A note never changes a number. With `metric`, the list has the notes of this metric and those of all metrics.',
  request: {
    query: queryOf([
      ...NOTE_INPUTS.fields.map((field) => plainFilter(field, [])),
      ...named(acceptedByList(NOTE_INPUTS), { start: 'First day, inclusive.', end: 'Last day, inclusive.' }),
    ]),
  },
  responses: {
    200: jsonResponse('The notes', z.array(NOTE.answer).readonly()),
    ...errorResponses(['invalid_operator', 'invalid_value', 'invalid_interval', 'invalid_range', ...DATABASE_CODES]),
  },
})

const creation = createRoute({
  ...common,
  path: '/api/notes',
  method: 'post',
  operationId: 'create_note',
  summary: 'Add a note',
  description: 'A metric or tenant that does not exist is refused.',
  request: { body: jsonBody(NOTE.body.shown) },
  responses: { 201: jsonResponse('The note', NOTE.answer), ...errorResponses(WRITE_CODES) },
})

const one = createRoute({
  ...common,
  path: '/api/notes/{id}',
  method: 'get',
  operationId: 'note',
  summary: 'Get a note',
  description: 'Includes `warnings` for names that do not exist any more.',
  request: { params },
  responses: { 200: jsonResponse('The note', NOTE.answer), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

const change = createRoute({
  ...common,
  path: '/api/notes/{id}',
  method: 'put',
  operationId: 'update_note',
  summary: 'Update a note',
  description: 'Omitted fields stay unchanged.',
  request: { params, body: jsonBody(NOTE.change.shown) },
  responses: { 200: jsonResponse('The note', updated(NOTE.answer)), ...errorResponses(['not_found', ...WRITE_CODES]) },
})

const deletion = createRoute({
  ...common,
  path: '/api/notes/{id}',
  method: 'delete',
  operationId: 'delete_note',
  summary: 'Delete a note',
  description: 'Charts, briefings and answers then no longer have it.',
  request: { params },
  responses: { 200: jsonResponse('Deleted', DELETED), ...errorResponses(['not_found', ...DATABASE_CODES]) },
})

/** The notes. */
export function registerNotes(app: App, { notes }: Pick<Engine, 'notes'>): void {
  serve(app, all, async (context) => context.json(await notes.list(parametersOf(context)), 200))
  serve(app, creation, async (context) => {
    const note = await notes.create(await readJson(context), signedIn(context))
    context.set('made', note.id)
    return context.json(note, 201)
  })
  serve(app, one, async (context) => context.json(await notes.get(context.req.param('id')), 200))
  serve(app, change, async (context) => {
    const note = await notes.update(context.req.param('id'), await readJson(context))
    return context.json({ status: 'updated' as const, ...note }, 200)
  })
  serve(app, deletion, async (context) => {
    await notes.delete(context.req.param('id'))
    return context.json({ status: 'deleted' as const }, 200)
  })
}
