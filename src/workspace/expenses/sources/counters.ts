import type { ChangedRecords } from '../../../ports/expense-store.ts'
import type { Outcome } from '../../../ports/source-store.ts'

/** Counters of this process for expense sources. */
export interface SourceFigures {
  /** Accepted notifications. */
  readonly notifications: number
  /** Attempts to process a notification, by outcome. `dead` counts new dead letters. */
  readonly attempts: Readonly<Record<Outcome['kind'], number>>
  readonly runs: Readonly<Record<RunOutcome, number>>
  /** Records changed by runs. */
  readonly changed: number
}

type RunOutcome = 'succeeded' | 'failed' | 'stopped'

/** Counts events. All counters start at zero. */
export interface SourceCounters {
  received(notifications: number): void
  attempted(outcome: Outcome['kind']): void
  ran(outcome: RunOutcome, changed: ChangedRecords): void
  figures(): SourceFigures
}

/** Creates counters, all at zero. */
export function createSourceCounters(): SourceCounters {
  let [notifications, changed] = [0, 0]
  const attempts = { done: 0, later: 0, dead: 0, released: 0 }
  const runs = { succeeded: 0, failed: 0, stopped: 0 }
  return {
    received(count) {
      notifications += count
    },
    attempted(outcome) {
      attempts[outcome] += 1
    },
    ran(outcome, records) {
      runs[outcome] += 1
      changed += Object.values(records).reduce((sum, count) => sum + count, 0)
    },
    figures: () => ({ notifications, attempts: { ...attempts }, runs: { ...runs }, changed }),
  }
}
