import { createRoute, z } from '@hono/zod-openapi'
import { COUNTED_KINDS, type Engine, type ExpenseImportOptions } from '../../../engine/engine.ts'
import { readCsvForm } from '../../presentation/import-options.ts'
import { shapeIssue } from '../body.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { CSV_FORM_FIELDS, type ReadFields, readUpload } from '../upload.ts'

const body = z.object({
  file: z.any().openapi({ type: 'string', format: 'binary', description: 'CSV with a header row' }),
  source: z.string().describe('Name of the expense list that the file belongs to. Letters, digits, ".", "_" and "-"'),
  ...CSV_FORM_FIELDS,
})

const result = z
  .object({
    source_id: z.string(),
    rows_read: z.int(),
    documents: z.int().describe('Number of bills and expenses in the file'),
    changed: z.record(z.enum(COUNTED_KINDS), z.int()).describe('Number of new or changed records, by kind'),
  })
  .meta({ id: 'ExpenseImport', description: 'Result of an import of bills and expenses' })

const importing = createRoute({
  method: 'post',
  path: '/api/expenses/import',
  operationId: 'import_expenses',
  tags: ['Books'],
  summary: 'Import bills and expenses from a CSV file',
  description:
    'A document that exists already is replaced with all its lines. If anything in the file is wrong, nothing is written: `issues` lists each problem with its row and column.',
  request: { body: { content: { 'multipart/form-data': { schema: body.meta({ id: 'ExpenseFile' }) } } } },
  responses: {
    200: jsonResponse('Result of the import', result),
    ...errorResponses(['payload_too_large', 'validation_failed', 'invalid_value', 'invalid_csv', ...DATABASE_CODES]),
  },
})

/** The import of bills and expenses from a file of at most `csvBytes`. */
export function registerExpenseImport(app: App, { expenses }: Pick<Engine, 'expenses'>, csvBytes: number): void {
  serve(app, importing, async (context) => {
    const imported = await readUpload(context, csvBytes, readOptions, (file, options) => expenses.import(file, options))
    return context.json(imported, 200)
  })
}

const readOptions: ReadFields<ExpenseImportOptions> = (field, report) => {
  const source = field('source')
  if (source === undefined)
    report(shapeIssue('body.source', 'The field "source" is required: the name of the expense list that the file belongs to.'))
  return { source: source ?? '', ...readCsvForm(field, 'body', report) }
}
