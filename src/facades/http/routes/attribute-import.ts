import { createRoute, z } from '@hono/zod-openapi'
import { suggest } from '../../../core/errors.ts'
import type { AttributeImportOptions, Engine, IdKind } from '../../../engine/engine.ts'
import { readCsvForm } from '../../presentation/import-options.ts'
import { mustBe, oneOf } from '../../presentation/parameters.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { jsonResponse } from '../openapi/response.ts'
import { type App, serve } from '../serve.ts'
import { CSV_FORM_FIELDS, type ReadFields, readUpload } from '../upload.ts'

const KINDS: readonly IdKind[] = ['id', 'external', 'email']

const body = z.object({
  file: z.any().openapi({ type: 'string', format: 'binary', description: 'CSV with a header row' }),
  id_column: z
    .string()
    .optional()
    .describe('Column that identifies the customer. Default: `customer_id`, `external`, `external_key` or `email`'),
  id_kind: z
    .enum(KINDS)
    .optional()
    .describe('Content of that column. `id`: account id, else external key. `external`: external key. `email`: email address'),
  ...CSV_FORM_FIELDS,
})

const rejected = z
  .object({
    row: z.int().describe('Row number, starting at 1 after the header'),
    key: z.string(),
    value: z.string(),
    reason: z.enum(['type_mismatch', 'ambiguous_customer']),
  })
  .meta({ id: 'RejectedCell' })

const result = z
  .object({
    rows_read: z.int(),
    rows_upserted: z.int().describe('Rows with at least one accepted cell'),
    unknown_customers: z.array(z.string()).readonly().describe('At most 1,000 entries'),
    keys_created: z.array(z.string()).readonly(),
    cells_rejected: z.array(rejected).readonly().describe('At most 1,000 entries'),
    kept_as_text: z
      .array(
        z
          .object({ row: z.int().describe('Row number, starting at 1 after the header'), key: z.string(), value: z.string() })
          .meta({ id: 'KeptAsText' }),
      )
      .readonly()
      .describe(
        'New attributes that are stored as text although all values look like numbers, each with the first value that a number would change',
      ),
    unknown_customers_total: z.int(),
    cells_rejected_total: z.int(),
  })
  .meta({ id: 'AttributeImport', description: 'Result of an attribute import' })

const importing = createRoute({
  method: 'post',
  path: '/api/attributes/import',
  operationId: 'import_attributes',
  tags: ['Attributes'],
  summary: 'Import attributes from a CSV file',
  description:
    'Every column except the customer column becomes an attribute. Empty cells leave existing values unchanged. If the file is malformed, nothing is written.',
  request: { body: { content: { 'multipart/form-data': { schema: body.meta({ id: 'AttributeFile' }) } } } },
  responses: {
    200: jsonResponse('Result of the import', result),
    ...errorResponses([
      'payload_too_large',
      'validation_failed',
      'invalid_value',
      'invalid_csv',
      'read_only_attribute',
      ...DATABASE_CODES,
    ]),
  },
})

/** The import of attributes from a file of at most `csvBytes`. */
export function registerAttributeImport(app: App, { attributes }: Pick<Engine, 'attributes'>, csvBytes: number): void {
  serve(app, importing, async (context) => {
    const imported = await readUpload(context, csvBytes, readOptions, (file, options) => attributes.import(file, options))
    return context.json(imported, 200)
  })
}

const readOptions: ReadFields<AttributeImportOptions> = (field, report) => {
  const given = field('id_kind')
  const id_kind = KINDS.find((kind) => kind === given)
  if (given !== undefined && id_kind === undefined) {
    const message = mustBe('id_kind', oneOf(KINDS), given)
    report({ code: 'invalid_value', where: 'body.id_kind', value: given, message, did_you_mean: suggest(given, KINDS) })
  }
  return { id_column: field('id_column'), id_kind, ...readCsvForm(field, 'body', report) }
}
