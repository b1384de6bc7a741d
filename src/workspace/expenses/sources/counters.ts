import type { ChangedRecords } from '../../../ports/expense-store.ts'
import type { Outcome } from '../../../ports/source-store.ts'

/** What has been done for the sources of books in this process. */
export interface SourceFigures {
  /** Notifications that were taken in. */
  readonly notifications: number
  /** Attempts to work one off, by what came of them; `dead` are new dead letters. */
  readonly attempts: Readonly<Record<Outcome['kind'], number>>
  readonly runs: Readonly<Record<RunOutcome, number>>
  /** Records that runs have changed. */
  readonly changed: number
}

type RunOutcome = 'succeeded' | 'failed' | 'stopped'

/** Counts what is done; all counters begin at zero. */
export interface SourceCounters {
  received(notifications: number): void
  attempted(outcome: Outcome['kind']): void
  ran(outcome: RunOutcome, changed: ChangedRecords): void
  figures(): SourceFigures
}

/** Counters of a process that has done nothing yet. */
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
