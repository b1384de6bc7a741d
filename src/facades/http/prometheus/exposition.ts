import { performance } from 'node:perf_hooks'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Engine, Readiness } from '../../../engine/engine.ts'
import { logFailure } from '../failure.ts'
import type { Log } from '../log.ts'
import { engineFigures, readinessFigures, sourceFigures } from './engine-figures.ts'
import { type RequestFigures, requestFigures } from './request-figures.ts'

/** The figures of one service for Prometheus. */
export interface Exposition {
  readonly requests: RequestFigures
  readonly contentType: string
  text(): Promise<string>
}

/** A registry of its own for each service. Figures of the process are collected from the first scrape on. */
export function createExposition(engine: Engine, log: Log): Exposition {
  const registry = new Registry()
  const requests = requestFigures(registry)
  engineFigures(registry, engine)
  sourceFigures(registry, engine)
  readinessFigures(
    registry,
    lastReadiness(engine, (error) => logFailure(log, error, 'prometheus', undefined)),
  )
  let isCollecting = false
  return {
    requests,
    contentType: registry.contentType,
    text() {
      if (!isCollecting) collectDefaultMetrics({ register: registry })
      isCollecting = true
      return registry.metrics()
    },
  }
}

/** A look at the databases is repeated after this time, however often is asked. */
const FRESH_MS = 15_000

interface LastReadiness {
  readonly found: Readiness
  readonly at: Date
}

/**
 * What the last look at replica and store found, at once: where it is old, or there is none, the next look begins behind the
 * caller's back, one at a time. A scrape so never waits for a database, nor do many load it.
 */
function lastReadiness(engine: Pick<Engine, 'readiness'>, onFailure: (error: unknown) => void): () => LastReadiness | undefined {
  let last: LastReadiness | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLooking = false

  const look = async (): Promise<void> => {
    isLooking = true
    try {
      last = { found: await engine.readiness(), at: new Date() }
    } catch (error) {
      last = undefined
      onFailure(error)
    } finally {
      isLooking = false
      lookedAt = performance.now()
    }
  }

  return () => {
    if (!isLooking && performance.now() - lookedAt >= FRESH_MS) void look()
    return last
  }
}
