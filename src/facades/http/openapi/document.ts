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

- Amounts are integer cents of the base currency. With \`money=units\`, amounts (\`x-unit: cents\` in the schemas) are decimal strings with
  the digits of their currency.
- Rates are fractions with 6 decimals: \`0.05\` is 5 %.
- Dates are UTC days. Ranges include both ends.
- A metric returns a bare value, or a list of rows when you group it.
- For CSV, send \`Accept: text/csv\` or \`format=csv\`. For an Excel workbook, send \`format=xlsx\`.
- A trailing slash is ignored. Below \`/api/metrics\`, \`-\` and \`_\` are the same.

The examples show responses for the sample data, with lists cut to two entries.

## Authentication

If \`auth.enabled\` is set, send \`Authorization: Bearer\` with an API key or a token of the OpenID Connect issuer. Each operation lists the
scope it needs. Scopes are nested: \`admin\` > \`write\` > \`read\` > \`read:aggregate\` (totals only, no customer data).

The service answers under loopback names, its own address and the names in \`server.hosts\`. Writes need the documented Content-Type. Browsers
may write only from this origin or from one listed in \`server.cors_origins\`.

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
  return () => {
    const month = lastFullMonth(about.clock.now())
    if (made?.start !== month.start) made = { start: month.start, document: makeDocument(app, about, month) }
    return made.document
  }
}

function makeDocument(app: App, about: About, month: ReturnType<typeof lastFullMonth>): Document {
  // Cloned through JSON: operations share objects in memory, and the steps below change them.
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
      { name: 'Discovery', description: 'Available metrics and their fields' },
      { name: 'Summary', description: 'The headline metrics in one request' },
      ...definitions.map(({ name, summary }) => ({ name: metricLabel(name), description: summary })),
      { name: 'Generic query', description: 'Any query of any metric, with operators in its filters' },
      { name: 'Data', description: 'Customers, subscriptions and invoices of the billing engine' },
      { name: 'Segments', description: 'Saved groups of customers' },
      { name: 'Attributes', description: 'Custom data about customers' },
      { name: 'Books', description: 'Bills, expenses and vendors in the Plumbline database' },
      { name: 'Exchange rates', description: 'Exchange rates in the Plumbline database, used to convert amounts' },
      { name: 'Dashboards', description: "A user's saved charts and dashboards" },
      { name: 'Sources', description: 'Accounting platforms and other sources of expenses' },
      { name: 'Models', description: 'Tools for language models (MCP)' },
      { name: 'Authentication', description: 'Sign-in, API keys and the audit log' },
      { name: 'Health', description: 'Liveness, readiness and Prometheus metrics' },
      { name: 'Dashboard', description: 'The web dashboard, a client of this API' },
      { name: 'Documentation', description: 'This document and its reference pages' },
    ],
    security: [],
  })
  return document
}
