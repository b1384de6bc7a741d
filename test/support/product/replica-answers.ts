import type { Engine, EngineDependencies } from '../../../src/engine/engine.ts'
import { createApp } from '../../../src/facades/http/app.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { exampleEngine } from './example-engine.ts'

/** The answers to a client and to a probe about a replica. */
export interface ReplicaAnswers {
  readonly status: number
  /** `replica_lagging` where the answer is refused. */
  readonly code?: unknown
  readonly detail?: unknown
  readonly lag_seconds?: unknown
  readonly limit_seconds?: unknown
  readonly warnings: string | null
  /** Milliseconds of `x-data-through`; null without that header. */
  readonly through: number | null
  readonly readyz: number
  readonly reason: unknown
  /** Finding `lag` of `check`. */
  readonly check: string
}

/** Asks metric, readiness and check over an executor, under a policy. */
export async function askReplica(
  executor: Executor,
  policy: Partial<EngineDependencies['replica']> = {},
): Promise<ReplicaAnswers> {
  const replica = { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false, ...policy } as const
  const engine: Engine = exampleEngine(executor, { replica, clock: { now: () => new Date() } })
  const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 200 }, log: () => {} })
  const answer = await app.request('/api/metrics/mrr')
  const body: unknown = await answer.json()
  const ready = await app.request('/readyz')
  const { checks } = (await ready.json()) as { checks: { replica: { reason?: unknown } } }
  const lag = (await engine.check()).find(({ name }) => name === 'lag')
  const through = answer.headers.get('x-data-through')
  return {
    status: answer.status,
    ...(typeof body === 'object' ? body : {}),
    warnings: answer.headers.get('x-warnings'),
    through: through === null ? null : Date.parse(through),
    readyz: ready.status,
    reason: checks.replica.reason,
    check: `${lag?.level} ${lag?.message}`,
  }
}
