/** The published limits of the API, and the time limits of this side. Times in milliseconds. */
export interface Pacing {
  /** Requests for one company within `windowMs` (Intuit: 500 a minute). */
  readonly perWindow: number
  readonly windowMs: number
  /** Running requests for one company at a time (Intuit: 10). */
  readonly atOnce: number
  /** Longest time of one request, its answer read to the end. */
  readonly requestMs: number
  /** Number of retries, and the shortest wait before the first one. The wait doubles, with jitter. */
  readonly retries: number
  readonly firstWaitMs: number
  /** Wait after `429` without `Retry-After`, and the longest `Retry-After` that is obeyed. */
  readonly throttledMs: number
  readonly longestThrottleMs: number
}

export const INTUIT_PACING: Pacing = Object.freeze({
  perWindow: 500,
  windowMs: 60_000,
  atOnce: 10,
  requestMs: 60_000,
  retries: 5,
  firstWaitMs: 500,
  throttledMs: 60_000,
  longestThrottleMs: 120_000,
})
