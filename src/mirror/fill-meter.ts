import { performance } from 'node:perf_hooks'
import type { FillProgress } from '../ports/read-through.ts'

/** Measures how far a filling is. */
export interface FillMeter {
  /** Records how many accounts there are to fill. */
  total(accounts: number): void
  /** Records that this many further rows have been read from the billing database. */
  rows(count: number): void
  /** Records the share of the work that is done, from 0 to 1. A smaller share than before is ignored. */
  done(share: number): void
  read(): FillProgress
}

/** Before this time and this share, an estimate of the rest would be a guess. */
const LEAST_MS = 1_000
const LEAST_SHARE = 0.02

/** Begins to measure. `clock` counts milliseconds and only runs forward. */
export function createFillMeter(clock: () => number = () => performance.now()): FillMeter {
  const began = clock()
  let accounts_total: number | null = null
  let rows = 0
  let share: number | null = null

  const secondsLeft = (): number | null => {
    const elapsed = clock() - began
    if (share === null || share < LEAST_SHARE || elapsed < LEAST_MS) return null
    return Math.ceil((elapsed * (1 - share)) / share / 1_000)
  }

  return {
    total(accounts) {
      accounts_total = accounts
    },
    rows(count) {
      rows += count
    },
    done(part) {
      share = Math.max(share ?? 0, Math.min(1, part))
    },
    read: () => ({ rows, accounts_total, share, seconds_left: secondsLeft() }),
  }
}
