import { createRoute, z } from '@hono/zod-openapi'
import type { Engine, GoalImportOptions } from '../../../engine/engine.ts'
import { readCsvForm } from '../../presentation/import-options.ts'
import { mustBe } from '../../presentation/parameters.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { signedIn } from '../signed-in.ts'
import { CSV_FORM_FIELDS, type ReadFields, readUpload } from '../upload.ts'

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
