import { createAuthResource } from '../../src/auth/resource.ts'
import { AUTH_OFF } from '../../src/core/auth.ts'
import { fixedClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/errors.ts'
import type { Answer, Engine } from '../../src/engine/engine.ts'
import { type AppDependencies, createApp } from '../../src/facades/http/app.ts'
import { metric as mrr } from '../../src/metrics/mrr/index.ts'

export type EngineCall = readonly [operation: string, ...args: unknown[]]

const METRICS = ['churn', 'expenses', 'ltv', 'mrr', 'retention', 'trials', 'usage_revenue']

export const META: Answer['meta'] = {
  data_through: '2025-05-31T12:00:00.000Z',
  definitions: '0123456789ab',
  warnings: [],
  base_currency: 'USD',
  fields: [],
  amounts: { unit: 'cents', currency: 'USD' },
}

/** The service over an engine that records its calls; `behaviour` replaces single operations. */
export function serviceOver(
  behaviour: Partial<Engine> = {},
  options: { bodyBytes?: number } & Partial<Pick<AppDependencies, 'corsOrigins' | 'hosts' | 'basePath' | 'logging' | 'web'>> = {},
) {
  const { bodyBytes = 1_048_576, ...others } = options
  const calls: EngineCall[] = []
  const logged: string[] = []
  const engine: Engine = {
    metrics: () => METRICS,
    metric: (name) => {
      // The summary is a metric, too, but not among those that have dimensions.
      if (![...METRICS, 'summary'].includes(name)) throw new AppError('unknown_metric', `Unknown metric "${name}".`)
      return name === 'mrr' ? mrr : undefined
    },
    fields: (name) =>
      Promise.resolve({
        data: { dimensions: [], time_dimensions: [], attributes: [], filters: [], query_types: [name], numbers: [], figures: [] },
        meta: { warnings: [] },
      }),
    readiness: () =>
      Promise.resolve({
        status: 'ok',
        checks: {
          replica: { ok: true, role: 'replica', lag_seconds: 1, version: '15', schema: 'killbill' },
          store: { ok: true },
        },
      }),
    statistics: () => ({ queues: { replica: null, cache: null }, cache: null }),
    check: () => Promise.resolve([]),
    auth: createAuthResource({ settings: AUTH_OFF, store: null, workspace: () => Promise.reject(), onFailure: () => {} }),
    close: () => Promise.resolve(),
    summary: (params, spec) => {
      calls.push(['summary', params, spec])
      return Promise.resolve({ data: { mrr: 17133 }, kind: 'object', columns: ['mrr'], meta: META })
    },
    list: (name, params, spec) => {
      calls.push(['list', name, params, spec])
      const data = { total: 9, limit: 100, offset: 0, rows: [{ id: 'a', subscription_ids: ['s'], name: null }] }
      return Promise.resolve({ data, kind: 'page', columns: ['id', 'subscription_ids', 'name'], meta: META })
    },
    customer: (id, params, spec) => {
      calls.push(['customer', id, params, spec])
      return Promise.resolve({ data: { id, attributes: {} }, kind: 'object', columns: ['id', 'attributes'], meta: META })
    },
    ...behaviour,
    query: (name, params, spec, settings) => {
      calls.push(['query', name, params, spec])
      return (
        behaviour.query?.(name, params, spec, settings) ??
        Promise.resolve({ data: 17133, kind: 'scalar', columns: ['mrr'], meta: META })
      )
    },
  } as Engine
  const app = createApp({
    engine,
    version: '0.1.0',
    corsOrigins: [],
    limits: { body_bytes: bodyBytes },
    log: (line) => logged.push(line),
    clock: fixedClock(new Date('2025-05-31T12:00:00Z')),
    ...others,
  })
  return { app, calls, logged }
}
