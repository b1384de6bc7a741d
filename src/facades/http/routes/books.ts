import { createRoute } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { acceptedByList, EXPENSE_LISTS, type ExpenseList, expenseListInputs, plainFilter } from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { dataResponse } from '../answer.ts'
import { conditional } from '../conditional.ts'
import { inAnyFormat, UNCHANGED } from '../openapi/answers.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { pageOf } from '../openapi/response.ts'
import { fromQuery } from '../request.ts'
import { type App, serve } from '../serve.ts'

const CODES: readonly ErrorCode[] = [
  'unknown_dimension',
  'unknown_filter',
  'invalid_operator',
  'invalid_value',
  'invalid_interval',
  'invalid_range',
  'not_acceptable',
  ...DATABASE_CODES,
]

/** The expense lists: bills, lines and vendors. */
export function registerBooks(app: App, { expenses }: Pick<Engine, 'expenses'>): void {
  for (const list of Object.values(EXPENSE_LISTS)) {
    serve(
      app,
      routeOf(list),
      async (context) => {
        context.set('query', `books.${list.name}`)
        const request = fromQuery(context)
        const answer = await askOperation((params, spec, options) => expenses.list(list.name, params, spec, options), request, {
          signal: context.req.raw.signal,
        })
        return dataResponse(answer, request, context)
      },
      conditional(),
    )
  }
}

function routeOf(list: ExpenseList) {
  const fields = list.fields.map(({ key }) => `\`${key}\``).join(', ')
  return createRoute({
    method: 'get',
    path: `/api/${list.path}`,
    operationId: list.name,
    tags: ['Books'],
    summary: list.summary,
    description: 'Deleted records are left out. CSV contains the rows of the page.',
    request: {
      query: queryOf([
        ...list.fields.map((field) => plainFilter(field, field.known ?? [])),
        ...named(acceptedByList(expenseListInputs(list)), {
          start: 'First document date, inclusive.',
          end: 'Last document date, inclusive.',
          source_id: 'Id of an expense source. Returns only records of this source.',
          search: 'Part of a name, number or description. Case does not matter.',
          filter:
            fields === ''
              ? 'This list has no fields to filter by.'
              : `\`key=value\`. Keys: ${fields}. Repeat a key to match any of its values.`,
        }),
      ]),
    },
    responses: {
      200: inAnyFormat('A page of rows, with the total number', pageOf(list.row), ['x-warnings', 'x-warning-details', 'etag']),
      304: UNCHANGED,
      ...errorResponses(CODES),
    },
  })
}
