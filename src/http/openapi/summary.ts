import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { PARAMETERS } from '../../engine/facade/parameters.ts'
import { SUMMARY_ANSWER } from '../../engine/summary/answer.ts'
import type { Environment } from '../environment.ts'
import { csvOrJson } from './answers.ts'
import { type ErrorSchema, errorResponses, QUERY_CODES } from './errors.ts'

const ABOUT = `Levels hold at the end of \`end\`. Net new MRR, churn and retention cover the rate window: the last full calendar month
ending on or before \`end\`. LTV, trial conversion and quick ratio cover the trailing window: the 365 days up to and including \`end\`. With
\`start\` and \`end\` both windows are that range. Each figure is what its own endpoint answers for the same days. Filters are those that
every metric offers: \`source\`, \`source_id\`, \`customer_id\`, \`customer_name\`, \`customer_country\`, \`cohort_month\`,
\`customer_created_month\`, \`customer.X\` and \`attr.X\`. With \`compare_segments\` the answer is a list, one object for each
segment with its \`segment_id\` first.`

const COMPARED = z.strictObject({ segment_id: z.string().describe('Id of the segment'), ...SUMMARY_ANSWER.shape })

/** The summary in the document. */
export function describeSummary(app: OpenAPIHono<Environment>, error: ErrorSchema): void {
  const { start, end, at, segment, compare_segments, filter, format } = PARAMETERS
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/api/metrics/summary',
    operationId: 'summary',
    tags: ['Summary'],
    summary: 'The headline figures of a day, or of a range',
    description: ABOUT,
    request: {
      query: z.object({
        start: start.schema.optional().describe(start.description),
        end: end.schema.optional().describe('Day of the levels (UTC), end of the windows. Default today.'),
        at: at.schema.optional().describe('The same as end.'),
        segment: segment.schema.optional().describe(segment.description),
        compare_segments: z.array(compare_segments.schema).optional().describe(compare_segments.description),
        filter: z.array(filter.schema).optional().describe(filter.description),
        format: format.schema.optional(),
      }),
    },
    responses: {
      200: csvOrJson('The figures', z.union([SUMMARY_ANSWER, z.array(COMPARED)]), [
        'x-data-through',
        'x-definitions',
        'x-warnings',
        'etag',
      ]),
      304: { description: 'Unchanged since `If-None-Match`' },
      ...errorResponses(error, QUERY_CODES),
    },
  })
}
