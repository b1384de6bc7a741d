import { performance } from 'node:perf_hooks'
import type { RefillCause } from '../../connector-kit/mirror-source.ts'
import { AppError, Shortage } from '../../core/errors.ts'
import type { CacheStatistics } from '../../ports/read-through.ts'

// Health of the mirror: counters of its requests, statements that made it drop its tables, and the wait before the next filling.

/** Why a process has no stored mirror open, as the end of a sentence. */
export const NOT_STORED = 'there is none'
export const TOO_OLD = 'it is more than a day old'
export const NOT_NEEDED = 'this process keeps its own in memory'
export const LOST = 'this process had to stop using it a short time ago'

/** The text of these errors may leave the process. The text of any other error may not. */
export const reasonOf = (error: unknown) =>
  error instanceof AppError || error instanceof Shortage ? { reason: error.message } : {}

/** Why a mirror is filled again that could still answer, or has failed. */
export const AGE: RefillCause = { reason: 'daily', text: 'its rows are a day old' }
export const TRACES: RefillCause = {
  reason: 'edited_by_hand',
  text: 'rows were edited by hand, and its file may still have the old ones',
}
export const REPLACED: RefillCause = { reason: 'replaced_rows', text: 'the rows of more customers than it has were replaced' }
export const FAILURE: RefillCause = { reason: 'failure', text: 'a refresh or an answer has failed' }

/** The reason why the replica had to answer a request. */
export type Reason =
  /** Nothing has started the mirror. */
  | 'not_started'
  /** The mirror is being filled, or its filling has failed. */
  | 'not_filled'
  /** The replica could not be asked for the changes. */
  | 'refresh_failed'
  /** The changes reach every account, so the mirror is filled again. */
  | 'outdated'
  /** The rows of the mirror are not right for the instant of the request. */
  | 'now_out_of_range'
  /** A statement of the mirror's database has failed, or Plumbline's own code. */
  | 'failed'
  /** The mirror was dropped while it was answering. */
  | 'dropped'
  /** The request waited longer than a statement may take. */
  | 'waited_too_long'
  /** The process is ending. */
  | 'closing'

/** Counts the requests that the mirror has answered and declined, and its refills, by reason. */
export interface Counters {
  count(outcome: 'answered' | Reason): void
  countRefill(reason: string): void
  figures(): Pick<CacheStatistics, 'answered' | 'declined' | 'refills'>
}

/** Creates counters, all at zero. */
export function createCounters(): Counters {
  let answered = 0
  const declined = new Map<Reason, number>()
  const refills = new Map<string, number>()
  return {
    count(outcome) {
      if (outcome === 'answered') answered += 1
      else declined.set(outcome, (declined.get(outcome) ?? 0) + 1)
    },
    countRefill: (reason) => void refills.set(reason, (refills.get(reason) ?? 0) + 1),
    figures: () => ({ answered, declined: Object.fromEntries(declined), refills: Object.fromEntries(refills) }),
  }
}

/** Remembers the failed statements. A first failure drops the mirror, a repeated one does not. */
interface FailingStatements {
  /** Records a failure. True for a repeated failure without a success in between: the statement is at fault, not its database. */
  failed(text: string): boolean
  succeeded(text: string): void
}

const MOST_STATEMENTS = 500

/**
 * Creates an empty memory. A statement that always fails drops the mirror only once. Without this limit, a caller who repeats the
 * statement would keep the mirror empty.
 */
export function createFailingStatements(): FailingStatements {
  const texts = new Set<string>()
  return {
    failed(text) {
      if (texts.has(text)) return true
      texts.add(text)
      const [oldest] = texts
      if (texts.size > MOST_STATEMENTS && oldest !== undefined) texts.delete(oldest)
      return false
    },
    succeeded: (text) => void texts.delete(text),
  }
}

/** Decides when the mirror may be filled again. */
interface BackOff {
  /** Records that a filling has failed, so that the next one waits. */
  failed(): void
  /** Records that a filled mirror turned out to be unusable. The first time, the next filling may begin at once. */
  lost(): void
  mayTry(): boolean
}

/** The longest wait is this many times the first one. */
const LONGEST = 16
/** After a time of this many first waits without a failure, the next failure counts as the first one again. */
const CALM = 60

/** The first failure makes the next filling wait `firstMs`. Each further one doubles the wait. */
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
