import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Engine } from '../../../engine/engine.ts'
import { logFailure } from '../failure.ts'
import type { Log } from '../log.ts'
import { engineFigures, readinessFigures } from './engine-figures.ts'
import { lastReadiness } from './last-readiness.ts'
import { type RequestFigures, requestFigures } from './request-figures.ts'
import { sourceFigures } from './source-figures.ts'

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
