/** How the API is asked: its published limits, and how long this side is patient. Times in milliseconds. */
export interface Pacing {
  /** Requests that one company may be asked within `windowMs` (Intuit: 500 a minute). */
  readonly perWindow: number
  readonly windowMs: number
  /** Requests under way for one company at a time (Intuit: 10). */
  readonly atOnce: number
  /** Longest time of one request, its answer read to the end. */
  readonly requestMs: number
  /** How often a request is tried again, and the least wait before the first time; it doubles, with jitter. */
  readonly retries: number
  readonly firstWaitMs: number
  /** Wait after `429` without `Retry-After`, and the longest that one with it is obeyed. */
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
