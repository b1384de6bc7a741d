import { performance } from 'node:perf_hooks'
import type { FillProgress } from '../../ports/read-through.ts'

/** Facts about a running filling. */
export interface FillCounts {
  /** Customers whose rows are made. */
  readonly customers: number
  /** All customers. Null until they are counted. */
  readonly of: number | null
  /** Rows read from the billing database. */
  readonly rows: number
  /** Share of the work that is done, if the customers do not show it. It is too rough for an estimate of the rest. */
  readonly share?: number
}

/** Before this time and this share, an estimate of the rest would be a guess. */
const LEAST_MS = 1_000
const LEAST_SHARE = 0.02

/** Begins to measure a filling, and turns its counts into its progress. `clock` counts milliseconds and only runs forward. */
export function createFillMeter(clock: () => number = () => performance.now()): (counts: FillCounts) => FillProgress {
  const began = clock()
  return ({ customers, of, rows, share: rough }) => {
    if (rough !== undefined) return { rows, accounts_total: of, share: rough, seconds_left: null }
    const share = of === null || of === 0 ? null : Math.min(1, customers / of)
    const elapsed = clock() - began
    const isKnown = share !== null && share >= LEAST_SHARE && elapsed >= LEAST_MS
    const seconds_left = isKnown ? Math.ceil((elapsed * (1 - share)) / share / 1_000) : null
    return { rows, accounts_total: of, share, seconds_left }
  }
}
