import { OpenAPIHono } from '@hono/zod-openapi'
import type { Engine } from '../engine/engine.ts'
import { crossOrigin } from './cross-origin.ts'
import type { Environment } from './environment.ts'
import { errorResponse, errorsOnly, pathNotFound } from './errors.ts'
import type { LogSink } from './log.ts'
import { registerOtherMethods } from './methods.ts'
import { openApiDocument } from './openapi/document.ts'
import { canonicalPath } from './paths.ts'
import { requestId } from './request-id.ts'
import { registerAttributes } from './routes/attributes.ts'
import { registerData } from './routes/data.ts'
import { registerDiscovery } from './routes/discovery.ts'
import { registerDocs } from './routes/docs.ts'
import { registerHealth } from './routes/health.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerSegmentValidation } from './routes/segment-validation.ts'
import { registerSegments } from './routes/segments.ts'
import { registerSummary } from './routes/summary.ts'

const CSV_BYTES = 52_428_800

/** What the service is built over. */
export interface AppDependencies {
  readonly engine: Engine
  readonly version: string
  readonly corsOrigins: readonly string[]
  /** `body_bytes`: largest JSON body; `csv_bytes`: largest file, 50 MB if absent. */
  readonly limits: { readonly body_bytes: number; readonly csv_bytes?: number }
  /** Takes failures of ours, one JSON line each. */
  readonly log: LogSink
}

/** The HTTP service as a Hono app; `app.request('/api/metrics/mrr')` answers without a server. */
export function createApp(dependencies: AppDependencies): OpenAPIHono<Environment> {
  const { engine, version, corsOrigins, limits, log } = dependencies
  const app = new OpenAPIHono<Environment>({ getPath: canonicalPath })
  app.onError((error, context) => errorResponse(error, context, log))
  app.notFound((context) => errorResponse(pathNotFound(), context, log))
  app.use(requestId())
  app.use(errorsOnly())
  app.use(crossOrigin(corsOrigins))
  registerHealth(app, engine)
  registerDocs(app)
  registerDiscovery(app, engine)
  registerSummary(app, engine)
  registerMetrics(app, engine, limits.body_bytes)
  registerData(app, engine)
  registerSegmentValidation(app, engine, limits.body_bytes)
  registerSegments(app, engine, limits.body_bytes)
  registerAttributes(app, engine, { csv_bytes: CSV_BYTES, ...limits })
  const document = openApiDocument(app, engine, version)
  app.get('/openapi.json', (context) => context.json(document))
  registerOtherMethods(app, engine.metrics())
  return app
}
