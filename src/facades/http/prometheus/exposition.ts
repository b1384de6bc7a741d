import { performance } from 'node:perf_hooks'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Engine, Readiness } from '../../../engine/engine.ts'
import { logFailure } from '../failure.ts'
import type { Log } from '../log.ts'
import { engineFigures, readinessFigures, sourceFigures } from './engine-figures.ts'
import { lakeFigures } from './lake-figures.ts'
import { type RequestFigures, requestFigures } from './request-figures.ts'

/** The Prometheus metrics of one service. */
export interface Exposition {
  readonly requests: RequestFigures
  readonly contentType: string
  text(): Promise<string>
}

/** Each service has its own registry. Process metrics are collected from the first scrape on. */
export function createExposition(engine: Engine, log: Log): Exposition {
  const registry = new Registry()
  const requests = requestFigures(registry)
  engineFigures(registry, engine)
  sourceFigures(registry, engine)
  lakeFigures(registry, engine)
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

/** Shortest time between two readiness checks, even if scrapes are more frequent. */
const FRESH_MS = 15_000

interface LastReadiness {
  readonly found: Readiness
  readonly at: Date
}

/**
 * Returns the result of the last readiness check immediately. If it is old or missing, a new check starts in the background, one at a time. So
 * a scrape never waits for a database, and many scrapes do not load it.
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
