import { performance } from 'node:perf_hooks'

/** Decides when a filling may be tried again. */
export interface BackOff {
  /** Notes that a filling has failed, so that the next one waits. */
  failed(): void
  /** Notes that a finished filling turned out to be unusable. The first time the next filling may begin at once. */
  lost(): void
  mayTry(): boolean
}

/** The longest wait is this many times the first one. */
const LONGEST = 16
/** After a time without failures of this many first waits, the next failure counts as the first one again. */
const CALM = 60

/** The first failure makes the next filling wait `firstMs`, and each further one makes it wait twice as long as before. */
export function createBackOff(firstMs: number): BackOff {
  let failures = 0
  let failedAt = Number.NEGATIVE_INFINITY
  let notBefore = Number.NEGATIVE_INFINITY
  const count = () => {
    const now = performance.now()
    failures = now - failedAt > CALM * firstMs ? 1 : failures + 1
    failedAt = now
    notBefore = now + firstMs * Math.min(LONGEST, 2 ** (failures - 1))
  }
  return {
    failed: count,
    lost() {
      count()
      if (failures === 1) notBefore = failedAt
    },
    mayTry: () => performance.now() >= notBefore,
  }
}
