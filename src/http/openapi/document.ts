import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../../engine/engine.ts'
import type { Environment } from '../environment.ts'
import { describeAttributes } from './attributes.ts'
import { describeData } from './data.ts'
import { describeDiscovery } from './discovery.ts'
import { ERROR_TABLE, registerErrorSchema } from './errors.ts'
import { metricText } from './metric-text.ts'
import { describeGenericQuery, describeMetric } from './metrics.ts'
import { describeSegmentValidation } from './segment-validation.ts'
import { describeSegments } from './segments.ts'
import { describeService } from './service.ts'
import { describeSummary } from './summary.ts'

const ABOUT = `Subscription metrics computed straight from the billing engine's own database.

Money is integer cents of the base currency, rates are fractions with 6 decimals, dates are UTC days and ranges include both ends.
An answer is a bare value, or a list of rows when grouped. \`Accept: text/csv\` or \`format=csv\` gives the same as CSV.
A trailing slash is ignored, and below \`/api/metrics\` \`-\` equals \`_\`.

## Errors

Every error has the form \`{detail, code, request_id, issues?, …}\`; everything wrong with a request is listed at once.

${ERROR_TABLE}`

/** Registers every endpoint and returns the OpenAPI 3.1 document, built once. */
export function openApiDocument(app: OpenAPIHono<Environment>, engine: Engine, version: string) {
  const error = registerErrorSchema(app)
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  describeDiscovery(app, error, engine.metrics())
  describeSummary(app, error)
  for (const definition of definitions) describeMetric(app, error, definition, labelOf(definition.name))
  describeGenericQuery(app, error, definitions, engine.metrics())
  describeData(app, error)
  describeSegmentValidation(app, error)
  describeSegments(app, error)
  describeAttributes(app, error)
  describeService(app, error)
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Discovery', description: 'What can be asked' },
      { name: 'Summary', description: 'The headline figures' },
      ...definitions.map((definition) => ({ name: labelOf(definition.name), description: metricText(definition) })),
      { name: 'Generic query', description: 'Any metric with operators in its filters' },
      { name: 'Data', description: "The billing engine's records" },
      { name: 'Segments', description: 'Saved groups of customers' },
      { name: 'Attributes', description: 'What is known of customers beyond their accounts' },
      { name: 'Health' },
      { name: 'Documentation' },
    ],
    security: [{}],
  })
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.length <= 3 ? words.toUpperCase() : words.charAt(0).toUpperCase() + words.slice(1)
}
