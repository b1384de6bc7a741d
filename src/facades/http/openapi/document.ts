import type { Clock } from '../../../core/clock.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { AccessTable } from '../access/access.ts'
import type { App } from '../serve.ts'
import { EXAMPLES } from './examples.ts'
import { metricLabel } from './metric-text.ts'
import { type Document, sharePartsOf } from './shared-parts.ts'
import { showAccess } from './show-access.ts'
import { lastFullMonth, showDays, showExamples } from './show-examples.ts'

const ABOUT = `Subscription metrics computed straight from the billing engine's own database.

Money is integer cents of the base currency, rates are fractions with 6 decimals, dates are UTC days and ranges include both ends.
An answer is a bare value, or a list of rows when grouped. \`Accept: text/csv\` or \`format=csv\` gives the same as CSV,
\`format=xlsx\` as a workbook. With \`money=units\` amounts (\`x-unit: cents\` in the schemas) are decimal text with the digits of their currency.
A trailing slash is ignored, and below \`/api/metrics\` \`-\` equals \`_\`. Examples are answers of the sample data,
lists cut to two entries.

## Who is answered

The service answers under loopback names, its own address and the names in \`server.hosts\`. A write comes with a body of the type that its
path takes, from no page or from one of this origin or of \`server.cors_origins\`.

Where \`auth.enabled\` is set, a request carries \`Authorization: Bearer\` with an API key or a token of the OpenID Connect issuer. Each operation
names the scope that it needs; \`admin\` includes \`write\`, that \`read\`, that \`read:aggregate\`, which sees numbers and no customers.

## Errors

Every error is an \`Error\`, \`{detail, code, request_id, issues?, …}\`; everything wrong with a request is listed at once. The codes stand at
that schema.`

/** What the document tells beside the routes themselves. */
export interface About {
  readonly engine: Pick<Engine, 'metrics' | 'metric'>
  /** What each operation needs. */
  readonly access: AccessTable
  readonly version: string
  /** What examples go by. */
  readonly clock: Clock
  /** `server.base_path`. */
  readonly base: string
}

/**
 * The OpenAPI 3.1 document of every route that has been registered. It is made when it is asked for, and anew in another month.
 */
export function openApiDocument(app: App, about: About): () => Document {
  let made: { readonly start: string; readonly document: Document } | undefined
  return () => {
    const month = lastFullMonth(about.clock.now())
    if (made?.start !== month.start) made = { start: month.start, document: makeDocument(app, about, month) }
    return made.document
  }
}

function makeDocument(app: App, about: About, month: ReturnType<typeof lastFullMonth>): Document {
  // As it is sent: what operations share in memory is one object.
  const document: Document = JSON.parse(JSON.stringify(described(app, about)))
  showAccess(document, about.access)
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  for (const { parameters = [] } of operations) for (const parameter of parameters) showDays(parameter, month)
  showExamples(document, EXAMPLES)
  sharePartsOf(document)
  return document
}

function described(app: App, { engine, version, base }: About) {
  const definitions = engine.metrics().flatMap((name) => engine.metric(name) ?? [])
  const { webhooks: _, ...document } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version,
      description: ABOUT,
      contact: { name: 'Plumbline' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: base || '/' }],
    tags: [
      { name: 'Discovery', description: 'What can be asked' },
      { name: 'Summary', description: 'Headline figures' },
      ...definitions.map(({ name, summary }) => ({ name: metricLabel(name), description: summary })),
      { name: 'Generic query', description: 'Any metric with operators in its filters' },
      { name: 'Data', description: "The billing engine's records" },
      { name: 'Segments', description: 'Saved groups of customers' },
      { name: 'Attributes', description: 'What is known of customers beyond their accounts' },
      { name: 'Books', description: 'What was bought: bills, expenses and vendors in the side store' },
      { name: 'Exchange rates', description: 'What amounts are converted with, in the side store' },
      { name: 'Dashboards', description: "A user's own charts, and the pages on which they stand" },
      { name: 'Sources', description: 'Where books come from' },
      { name: 'Models', description: 'Tools for language models' },
      { name: 'Authentication', description: 'Who may ask, and what they did' },
      { name: 'Health', description: 'Whether the service and what it reads are well' },
      { name: 'Dashboard', description: 'The page for browsers, a client of this API and of nothing else' },
      { name: 'Documentation', description: 'This document and the pages that show it' },
    ],
    security: [],
  })
  return document
}
