import { createRoute, z } from '@hono/zod-openapi'
import type { ErrorCode } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { acceptedByList, plainFilter, RATE_INPUTS } from '../../../engine/shapes.ts'
import { RATE_FETCH } from '../../../workspace/records/rate.ts'
import { readRateOptions } from '../../presentation/import-options.ts'
import { readJson } from '../body.ts'
import { DATABASE_CODES, errorResponses } from '../openapi/errors.ts'
import { named, queryOf } from '../openapi/query-parameters.ts'
import { jsonBody, jsonResponse } from '../openapi/response.ts'
import { parametersOf } from '../request.ts'
import { type App, serve } from '../serve.ts'
import { CSV_FORM_FIELDS, readUpload } from '../upload.ts'

const day = z.string().meta({ format: 'date' })
const currency = z.string().meta({ example: 'EUR' })

const rate = z
  .object({
    date: day.describe('First day that the rate applies to'),
    from: currency,
    to: currency,
    rate: z.string().describe('Units of `to` for one unit of `from`, as exact decimal text'),
  })
  .meta({ id: 'FxRate', description: 'An exchange rate. It applies until the next rate of its currency pair' })

const missingRate = z
  .object({
    from: currency,
    to: currency,
    first_day: day,
    last_day: day,
    count: z.int().describe('Number of amounts that need the rate'),
    rates_since: day.nullable().describe('First day with a rate of this pair. Null if there is no rate at all'),
  })
  .meta({ id: 'MissingFxRate', description: 'A currency pair without a rate, and the days that need one' })

const file = z.object({
  file: z.any().openapi({
    type: 'string',
    format: 'binary',
    description:
      'CSV, plain or in a ZIP archive. Columns: `date`, `from`, `to`, `rate`, or the format of the European Central Bank with one column per currency',
  }),
  to: z.string().optional().describe('Target currency for a file of the European Central Bank. Default: the base currency'),
  since: day.optional().describe('Skip rates before this day'),
  ...CSV_FORM_FIELDS,
})

const result = z
  .object({
    rows_read: z.int(),
    rows_upserted: z.int().describe('Number of rates stored. A row of the European Central Bank has many'),
    rows_rejected: z
      .array(
        z
          .object({ row: z.int().describe('Row number, starting at 1 after the header'), reason: z.string() })
          .meta({ id: 'RejectedFxRow' }),
      )
      .readonly()
      .describe('At most 1,000 entries'),
    rows_rejected_total: z.int(),
  })
  .meta({ id: 'FxRateImport', description: 'Result of an exchange rate import' })

const COMMON: readonly ErrorCode[] = [...DATABASE_CODES]
const common = { tags: ['Exchange rates'] }

const all = createRoute({
  ...common,
  method: 'get',
  path: '/api/fx/rates',
  operationId: 'fx_rates',
  summary: 'List exchange rates',
  description:
    'Stored rates, sorted by currency pair and day. Rates of the billing engine are not included: they apply to pairs without a stored rate.',
  request: {
    query: queryOf([
      ...RATE_INPUTS.fields.map((field) => plainFilter(field, [])),
      ...named(acceptedByList(RATE_INPUTS), {
        start: 'First day, inclusive.',
        end: 'Last day, inclusive.',
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
  summary: 'List missing exchange rates',
  description: 'Checks all amounts of the billing data and the expenses, so it takes as long as a query over all time.',
  responses: {
    200: jsonResponse('Currency pairs, sorted by first day. Empty if no rate is missing', z.array(missingRate).readonly()),
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
    'A rate replaces the stored rate of the same pair and day. If the file has two, the later row wins. Invalid rows are skipped and reported. If the file is malformed, nothing is written.',
  request: { body: { content: { 'multipart/form-data': { schema: file.meta({ id: 'FxRateFile' }) } } } },
  responses: {
    200: jsonResponse('Result of the import', result),
    ...errorResponses(['payload_too_large', 'validation_failed', 'invalid_value', 'invalid_csv', ...COMMON]),
  },
})

const fetching = createRoute({
  ...common,
  method: 'post',
  path: '/api/fx/fetch/ecb',
  operationId: 'fetch_fx_rates',
  summary: 'Fetch the rates of the European Central Bank',
  description:
    'Downloads the file at `fx.ecb_url` and imports it, as `plumbline fx fetch ecb` does. A request cannot choose the address. Only one download runs at a time; another request gets 409 `conflict`. If the server does not answer within a minute, the answer is 503 and nothing is written.',
  request: {
    body: jsonBody(RATE_FETCH.shown),
  },
  responses: {
    200: jsonResponse('Result of the import', result),
    ...errorResponses(['payload_too_large', 'invalid_json', 'validation_failed', 'invalid_csv', 'conflict', ...COMMON]),
  },
})

/** Stored and missing exchange rates, and their import from a file or from the European Central Bank. */
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
  serve(app, fetching, async (context) => context.json(await rates.fetch(await readJson(context), context.req.raw.signal), 200))
}
