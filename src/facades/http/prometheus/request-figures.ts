import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Counters of requests. */
export interface RequestFigures {
  /** Counts a request as being answered until the returned function is called. */
  begin(): () => void
  count(request: RequestLabels, seconds: number): void
}

interface RequestLabels {
  readonly method: string
  /** Pattern of the route, never the path: the number of label values must stay small. */
  readonly route: string
  readonly status: number | 'aborted'
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counters of requests in a registry. */
export function requestFigures(registry: Registry): RequestFigures {
  const registers = [registry]
  const requests = new Counter({
    name: 'plumbline_http_requests_total',
    help: 'Requests by method, route pattern and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'plumbline_http_request_duration_seconds',
    help: 'Time until the response is ready, by method and route pattern',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers,
  })
  const running = new Gauge({ name: 'plumbline_http_requests_running', help: 'Requests being answered', registers })
  return {
    begin() {
      running.inc()
      return () => running.dec()
    },
    count({ method: given, route, status }, seconds) {
      const method = METHODS.includes(given) ? given : 'other'
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
  }
}
