import { OpenAPIHono } from '@hono/zod-openapi'
import { type Clock, systemClock } from '../../core/clock.ts'
import { isRefusal } from '../../core/errors.ts'
import { dayOf } from '../../core/periods.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Deliveries } from '../deliveries/contract.ts'
import { accessTable, checkAccess } from './access/access.ts'
import { guard } from './access/guard.ts'
import { limitBodies } from './body.ts'
import { compressed } from './conditional.ts'
import type { Environment } from './environment.ts'
import { errorResponse, errorsOnly, pathNotFound } from './errors.ts'
import { createStateLog, logFailure } from './failure.ts'
import { guardParameters, withoutParameters } from './guard-parameters.ts'
import { bodyTypesOf, guardReads, guardWrites } from './guard-writes.ts'
import { onlyHosts } from './host-names.ts'
import { callersPlaces } from './large-answers.ts'
import { createLinkVisits } from './link-visits.ts'
import { createLog, type LogSettings, type LogSink } from './log.ts'
import { registerOtherMethods } from './methods.ts'
import { observe } from './observe.ts'
import { openApiDocument } from './openapi/document.ts'
import { pathsBelow } from './paths.ts'
import { createExposition } from './prometheus/exposition.ts'
import { crossOrigin, requestId, safeHeaders } from './response-headers.ts'
import { registerAttributeImport } from './routes/attribute-import.ts'
import { registerAttributes } from './routes/attributes.ts'
import { registerAudit } from './routes/audit.ts'
import { registerAuth } from './routes/auth.ts'
import { registerBillingHealth } from './routes/billing-health.ts'
import { registerBillingMarks } from './routes/billing-marks.ts'
import { registerBooks } from './routes/books.ts'
import { registerCharts } from './routes/charts.ts'
import { registerChecks } from './routes/checks.ts'
import { registerConsent } from './routes/consent.ts'
import { registerCustomerAttributes } from './routes/customer-attributes.ts'
import { registerDashboardContents } from './routes/dashboard-contents.ts'
import { registerDashboards } from './routes/dashboards.ts'
import { registerData } from './routes/data.ts'
import { registerDeadLetters } from './routes/dead-letters.ts'
import { registerDefinitions } from './routes/definitions.ts'
import { registerDeliveries } from './routes/deliveries.ts'
import { registerDiscovery } from './routes/discovery.ts'
import { registerDocs } from './routes/docs.ts'
import { registerExpenseImport } from './routes/expense-import.ts'
import { registerFeeds } from './routes/feeds.ts'
import { registerFxRates } from './routes/fx-rates.ts'
import { registerGenericQuery } from './routes/generic-query.ts'
import { registerGoalImport, registerGoals } from './routes/goals.ts'
import { registerHealth, registerPrometheus } from './routes/health.ts'
import { registerKeys } from './routes/keys.ts'
import { registerLinks } from './routes/links.ts'
import { registerMcp } from './routes/mcp.ts'
import { registerMetricRows } from './routes/metric-rows.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerNotes } from './routes/notes.ts'
import { registerSegmentFields, registerSegmentValidation } from './routes/segment-checks.ts'
import { registerSegments } from './routes/segments.ts'
import { registerShared } from './routes/shared.ts'
import { registerSources } from './routes/sources.ts'
import { registerSummary } from './routes/summary.ts'
import { registerVerify } from './routes/verify.ts'
import { pageInstead, registerWeb } from './routes/web.ts'
import { registerWebhooks } from './routes/webhooks.ts'
import type { App } from './serve.ts'
import type { WebFiles } from './web-files.ts'

const CSV_BYTES = 52_428_800

/** Dependencies and settings of the service. */
export interface AppDependencies {
  readonly engine: Engine
  /** Absent: the service sends nothing. */
  readonly deliveries?: Deliveries | undefined
  readonly version: string
  readonly corsOrigins: readonly string[]
  /** Names and addresses of the service, in addition to loopback. */
  readonly hosts?: readonly string[]
  /** Prefix of every path, without a trailing slash. Default: none. */
  readonly basePath?: string
  /** Public origin for links. Default: the origin of each request. */
  readonly publicOrigin?: string | undefined
  /** `body_bytes`: largest JSON body. `csv_bytes`: largest file, default 50 MB. `issues`: most issues in an error, default 100. */
  readonly limits: { readonly body_bytes: number; readonly csv_bytes?: number; readonly issues?: number }
  /** Receives the lines of the log. */
  readonly log: LogSink
  /** Default: warnings and errors as JSON. */
  readonly logging?: LogSettings
  /** Sets the example dates of the document. Default: the system clock. */
  readonly clock?: Clock
  /** Origins whose pages may embed shared pages (`share.embed_origins`). */
  readonly embedOrigins?: readonly string[]
  /** The built dashboard. Without it, `/` redirects to the documentation. */
  readonly web?: WebFiles | undefined
}

/** The HTTP service as a Hono app. `app.request('/api/metrics/mrr')` works without a server. */
export function createApp(dependencies: AppDependencies): App {
  const {
    engine,
    deliveries,
    version,
    corsOrigins,
    hosts = [],
    basePath = '',
    publicOrigin,
    limits,
    logging = { level: 'warn', format: 'json' },
    clock = systemClock,
    embedOrigins = [],
    web,
  } = dependencies
  const log = createLog(dependencies.log, logging)
  const exposition = createExposition(engine, log)
  const access = accessTable(engine)
  const app = new OpenAPIHono<Environment>({ getPath: pathsBelow(basePath) })
  const logState = createStateLog(log)
  const errors = { log, logState, mostIssues: limits.issues }
  app.onError((error, context) => errorResponse(error, context, errors))
  const served = { files: web, base: basePath, issuer: engine.auth.config.oidc_issuer ?? null }
  app.notFound((context) => pageInstead(context, served) ?? errorResponse(pathNotFound(), context, errors))
  app.use(requestId())
  app.use(observe(log, exposition.requests))
  app.use(compressed())
  app.use(safeHeaders())
  app.use(errorsOnly())
  app.use(onlyHosts(hosts))
  app.use(crossOrigin(corsOrigins))
  app.use(guard(engine, access))
  app.use(callersPlaces())
  if (!engine.auth.isEnabled) app.use(guardReads(corsOrigins))
  const bodyTypes = bodyTypesOf(app)
  app.use(guardWrites(corsOrigins, bodyTypes))
  app.use(guardParameters(withoutParameters(app)))
  app.use(limitBodies(limits.body_bytes, bodyTypes))
  registerDiscovery(app, engine)
  registerDefinitions(app, engine)
  registerSummary(app, engine)
  registerMetrics(app, engine)
  registerMetricRows(app, engine)
  registerGenericQuery(app, engine)
  registerData(app, engine)
  registerBillingHealth(app, engine)
  registerBillingMarks(app, engine)
  registerSegmentFields(app, engine)
  registerSegmentValidation(app, engine)
  registerSegments(app, engine)
  registerNotes(app, engine)
  registerGoals(app, engine)
  registerGoalImport(app, engine, limits.csv_bytes ?? CSV_BYTES)
  // Before the attribute routes: `/api/attributes/{key}` would match its path.
  registerAttributeImport(app, engine, limits.csv_bytes ?? CSV_BYTES)
  registerBooks(app, engine)
  registerExpenseImport(app, engine, limits.csv_bytes ?? CSV_BYTES)
  registerFxRates(app, engine, limits.csv_bytes ?? CSV_BYTES)
  registerAttributes(app, engine)
  registerCustomerAttributes(app, engine)
  registerDashboards(app, engine)
  registerDashboardContents(app, engine)
  registerCharts(app, engine)
  registerDeliveries(app, deliveries)
  const ofLinks = { base: basePath, today: () => dayOf(clock.now()), visits: createLinkVisits() }
  registerLinks(app, engine, ofLinks)
  registerShared(app, engine, { ...ofLinks, files: web, embedOrigins })
  registerFeeds(app, engine, ofLinks)
  registerSources(app, engine)
  registerDeadLetters(app, engine)
  registerConsent(app, engine, basePath)
  registerWebhooks(app, engine)
  registerMcp(app, engine, {
    version,
    pagePath: web === undefined ? undefined : basePath,
    publicOrigin,
    onFailure(error, context) {
      const request = { request_id: context.get('request_id'), query: context.get('query') }
      if (isRefusal(error)) logState(error, request)
      else logFailure(log, error, request.request_id, request.query)
    },
  })
  registerAuth(app, engine)
  registerKeys(app, engine)
  registerAudit(app, engine)
  registerHealth(app, engine)
  registerChecks(app, engine)
  registerVerify(app, engine)
  registerPrometheus(app, exposition)
  registerWeb(app, served)
  registerDocs(app, openApiDocument(app, { engine, access, version, clock, base: basePath }), basePath)
  checkAccess(app, access)
  registerOtherMethods(app, engine)
  return app
}
