import type { Clock } from '../../../core/clock.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { AccessTable } from '../access/access.ts'
import { EXAMPLE_ORIGIN } from '../docs-pages.ts'
import type { App } from '../serve.ts'
import { metricLabel } from './metric-text.ts'
import { type Document, sharePartsOf } from './shared-parts.ts'
import { showAccess } from './show-access.ts'
import { type Examples, lastFullMonth, readExamples, showDays, showExamples } from './show-examples.ts'

/** The text in front of the operations: three calls to try, who may call, the form of numbers and errors. `base` is `server.base_path`. */
const aboutText = (base: string) => `Subscription metrics computed straight from the billing engine's own database.

## Three calls to try

They answer on the demo. On a service with authentication, add a credential.

\`\`\`sh
# MRR now, in whole cents. The demo's 5114837 is 51,148.37 USD
curl '${EXAMPLE_ORIGIN}${base}/api/metrics/mrr'

# What changed MRR last month: new, expansion, churn and more
curl '${EXAMPLE_ORIGIN}${base}/api/metrics/mrr/breakdown?range=last-month'

# MRR from customers who pay in euros, the three largest plans first
curl -X POST '${EXAMPLE_ORIGIN}${base}/api/metrics/mrr' \\
  -H 'content-type: application/json' \\
  -d '{"params":{"order":"-mrr","limit":3},"spec":{"dimensions":["plan_id"],"filters":{"currency":"EUR"}}}'
\`\`\`

## Authentication

The demo needs no credential. If \`auth.enabled\` is set, send one with every call:

\`\`\`sh
curl -H 'authorization: Bearer pl_…' '${EXAMPLE_ORIGIN}${base}/api/metrics/mrr'
\`\`\`

The credential is an API key (\`plumbline keys create <name>\`) or a token of the OpenID Connect issuer. Each operation lists the scope it
needs. Scopes are nested: \`admin\` > \`write\` > \`read\` > \`read:aggregate\` (totals only, no customer data).

## Security

- Without authentication, everybody who reaches the service may read and change everything. By default only programs on the same machine
  reach it.
- The service answers under loopback names, its own address and the names in \`server.hosts\`. Any other \`Host\` gets 403
  \`forbidden_host\`. This protects against DNS rebinding.
- A page of another site gets 403 \`forbidden\` when it tries to change data, and without authentication also when it tries to read. Pages of
  the origins in \`server.cors_origins\` may do both. Programs are not affected.
- A body must have the documented Content-Type. Any other type gets 415.
- Plumbline never writes to the billing database.

## Numbers and dates

- Amounts are integer cents of the base currency. With \`money=units\`, amounts (\`x-unit: cents\` in the schemas) are decimal strings with
  the digits of their currency.
- Rates are fractions with 6 decimals: \`0.05\` is 5 %. \`x-unit\` marks them as \`fraction\`, quotients of two amounts as \`ratio\` and
  counts as \`count\`. \`x-adds\` tells whether the numbers of several rows add up: over \`groups\`, over \`groups_and_periods\`, or
  \`never\`. \`x-good\` is the good direction of a number, by default \`up\`, and \`x-label\` a display name.
- Dates are days in UTC, or in the zone of the option \`time_zone\`. Ranges include both ends.
- A metric returns a bare value, or a list of rows when you group it.
- For CSV, send \`Accept: text/csv\` or \`format=csv\`. For an Excel workbook, send \`format=xlsx\`.
- A trailing slash is ignored. Below \`/api/metrics\`, \`-\` and \`_\` are the same.

The examples of the operations show responses for the sample data, with lists cut to two entries.

## Errors

Every error is an \`Error\`: \`{detail, code, request_id, issues?, …}\`. It lists everything that is wrong with a request at once. The \`Error\`
schema lists all codes.`

/** Everything that the document needs in addition to the routes. */
export interface About {
  readonly engine: Pick<Engine, 'metrics' | 'metric'>
  /** The scope that each operation needs. */
  readonly access: AccessTable
  readonly version: string
  /** Sets the example dates. */
  readonly clock: Clock
  /** `server.base_path`. */
  readonly base: string
}

/**
 * The OpenAPI 3.1 document of all registered routes. It is built at the first request, and again when the month changes.
 */
export function openApiDocument(app: App, about: About): () => Document {
  let made: { readonly start: string; readonly document: Document } | undefined
  // Read at the start: a service reads no file of its installation later.
  const examples = readExamples()
  return () => {
    const month = lastFullMonth(about.clock.now())
    if (made?.start !== month.start) made = { start: month.start, document: makeDocument(app, about, month, examples) }
    return made.document
  }
}

function makeDocument(app: App, about: About, month: ReturnType<typeof lastFullMonth>, examples: Examples): Document {
  // Cloned through JSON: operations share objects in memory, and the steps below change them.
  const document: Document = JSON.parse(JSON.stringify(described(app, about)))
  showAccess(document, about.access)
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  for (const { parameters = [] } of operations) for (const parameter of parameters) showDays(parameter, month)
  showExamples(document, examples)
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
      description: aboutText(base),
      contact: { name: 'Plumbline' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: base || '/' }],
    tags: [
      { name: 'Discovery', description: 'Available metrics and their fields' },
      { name: 'Summary', description: 'The headline metrics in one request' },
      ...definitions.map(({ name, summary }) => ({ name: metricLabel(name), description: summary })),
      { name: 'Generic query', description: 'Any query of any metric, with operators in its filters' },
      { name: 'Data', description: 'Customers, subscriptions and invoices of the billing engine' },
      { name: 'Deliveries', description: 'Briefings that are sent at a time, and alerts' },
      { name: 'Segments', description: 'Saved groups of customers' },
      { name: 'Notes and goals', description: 'Remarks on days, and numbers to reach in months and quarters' },
      { name: 'Marks', description: 'Marks of people on findings and notices of billing health' },
      { name: 'Attributes', description: 'Custom data about customers' },
      { name: 'Books', description: 'Bills, expenses and vendors in the Plumbline database' },
      { name: 'Exchange rates', description: 'Exchange rates in the Plumbline database, used to convert amounts' },
      { name: 'Dashboards', description: "A user's saved charts and dashboards" },
      { name: 'Links', description: 'Links that show a dashboard or a chart without sign-in' },
      { name: 'Sources', description: 'Accounting platforms and other sources of expenses' },
      { name: 'Models', description: 'Tools for language models (MCP)' },
      { name: 'Authentication', description: 'Sign-in, API keys and the audit log' },
      { name: 'Health', description: 'Liveness, readiness and Prometheus metrics' },
      { name: 'Trust', description: 'Checks of your own data' },
      { name: 'Dashboard', description: 'The web dashboard, a client of this API' },
      { name: 'Documentation', description: 'This document and its reference pages' },
    ],
    security: [],
  })
  return document
}
