import { createRoute, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { acceptedByList, plainFilter, RATE_INPUTS } from '../../../engine/shapes.ts'
import { readRateOptions } from '../../presentation/import-options.ts'
import { errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'
import { CSV_FORM_FIELDS, readUpload } from '../upload.ts'

const day = z.string().meta({ format: 'date' })
const currency = z.string().meta({ example: 'EUR' })

const rate = z
  .object({
    date: day.describe('First day on which it holds'),
    from: currency,
    to: currency,
    rate: z.string().describe('Units of `to` for one of `from`, exact'),
  })
  .meta({ id: 'FxRate', description: 'An exchange rate, in force until the next one of its pair' })

const missingRate = z
  .object({
    from: currency,
    to: currency,
    first_day: day,
    last_day: day,
    count: z.int().describe('Amounts that need the rate'),
  })
  .meta({ id: 'MissingFxRate', description: 'A pair of currencies without a rate, and the days that need one' })

const file = z.object({
  file: z.any().openapi({
    type: 'string',
    format: 'binary',
    description: "CSV, plain or in a ZIP archive: date, from, to, rate, or the European Central Bank's with a column a currency",
  }),
  to: z
    .string()
    .optional()
    .describe("Currency that the European Central Bank's rates are converted into; the base currency if absent"),
  since: day.optional().describe('Leave out what is dated before this day'),
  ...CSV_FORM_FIELDS,
})

const result = z
  .object({
    rows_read: z.int(),
    rows_upserted: z.int().describe('Rates that were stored, of a row of the European Central Bank many'),
    rows_rejected: z
      .array(z.object({ row: z.int().describe('From 1 after the header'), reason: z.string() }).meta({ id: 'RejectedFxRow' }))
      .readonly()
      .describe('At most 1,000'),
    rows_rejected_total: z.int(),
  })
  .meta({ id: 'FxRateImport', description: 'What an import of exchange rates has read and stored' })

const COMMON: readonly ErrorCode[] = [
  'unsupported_by_connector',
  'connector_unavailable',
  'overloaded',
  'query_timeout',
  'internal',
]
const common = { tags: ['Exchange rates'] }

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/fx/rates',
  operationId: 'fx_rates',
  summary: 'Stored exchange rates by pair and day',
  description: 'What the billing engine has of its own is not among them; it holds for pairs without a stored rate.',
  request: {
    query: queryOf([
      ...RATE_INPUTS.fields.map((field) => plainFilter(field, [])),
      ...named(acceptedByList(RATE_INPUTS), {
        start: 'First day of the rates, included.',
        end: 'Last day of the rates, included.',
      }),
    ]),
  },
  responses: {
    200: jsonResponse('The rates', z.array(rate).readonly()),
    ...errorResponses(['invalid_operator', 'invalid_value', 'invalid_interval', 'invalid_range', 'result_too_large', ...COMMON]),
  },
})

const missing = createRoute({
  ...common,
  method: 'get',
  path: '/api/fx/missing',
  operationId: 'missing_fx_rates',
  summary: 'Exchange rates that amounts need and that are not there',
  description: 'Looks at all amounts of the billing data and of the books, so it takes as long as figures over all time.',
  responses: {
    200: jsonResponse('Pairs by first day; empty where nothing is missing', z.array(missingRate).readonly()),
    ...errorResponses(['canonical_enum_violation', 'result_too_large', 'replica_lagging', ...COMMON]),
  },
})

const importing = createRoute({
  ...common,
  method: 'post',
  path: '/api/fx/rates/import',
  operationId: 'import_fx_rates',
  summary: 'Import exchange rates from a CSV file',
  description:
    'A rate replaces that of the same pair and day; of two in the file the later counts. Rows that cannot be stored are left out and reported. When the file as a whole is malformed nothing is written.',
  request: { body: { content: { 'multipart/form-data': { schema: file.meta({ id: 'FxRateFile' }) } } } },
  responses: {
    200: jsonResponse('What was imported', result),
    ...errorResponses(['payload_too_large', 'validation_failed', 'invalid_value', 'invalid_csv', ...COMMON]),
  },
})

/** Exchange rates: what is stored, what is missing, and the import of a file of so many bytes at most. */
export function registerFxRates(app: App, { rates }: Pick<Engine, 'rates'>, csvBytes: number): void {
  serve(app, all, async (context) => context.json(await rates.list(parametersOf(context)), 200))
  serve(app, missing, async (context) => context.json(await rates.missing({ signal: context.req.raw.signal }), 200))
  serve(app, importing, async (context) => {
    const imported = await readUpload(
      context,
      csvBytes,
      (field, report) => readRateOptions(field, 'body', report),
      (pieces, options) => rates.import(pieces, options),
    )
    return context.json(imported, 200)
  })
}
