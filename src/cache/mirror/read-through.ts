import { unlessAborted } from '../../core/async.ts'
import { AppError } from '../../core/errors.ts'
import type { CacheFacts, CacheReading, CacheStatistics, FeedRequest, ReadThrough } from '../../ports/read-through.ts'
import { createCopies } from './copies.ts'
import { createCurrentMirror } from './current-mirror.ts'
import { createCounters, createFailingStatements, type Reason } from './health.ts'
import { whileAlive } from './liveness.ts'
import { type Mirror, Outdated, refreshMirror } from './mirror.ts'
import { probeTables } from './mirror-tables.ts'
import { patienceFor, type ReadThroughOptions } from './options.ts'
import { withPlans } from './plans.ts'
import { answerInRound, type Outcome, type WaitingOptions, type WaitingRequest } from './waiting-request.ts'

export type { ReadThroughOptions } from './options.ts'

/*
 * The mirror holds rows of the base relations in a database of this process. Users call it the cache: the `[cache]` section of the
 * configuration, `/readyz`, metrics and messages use that word.
 *
 *     idle ──(1)──▶ filling ──(2)──▶ ready ──(5)──▶ refreshing
 *                   ▲ │   ▲           │ ▲            │     │
 *                (4)│ │(3)│           │ └────(6)─────┘     │
 *                   │ │   └─(9)─┐     │(8)                 │(7)
 *                   │ ▼         │     ▼                    │
 *                 failed ◀──(10)── dropped ◀───────────────┘
 *
 *  1  `start` (the service) and `ready` (a command that waits). If the cache is required, also the first `read` or `probe`.
 *  2  All rows have come from one snapshot of the replica.
 *  3  The filling fails or is silent for too long. It leaves nothing behind, and the back-off begins (createBackOff in health.ts).
 *  4  Once the back-off permits: the next `read`, `ready` or `probe`.
 *  5  A round begins: one refresh for all requests that wait. Requests that come during it take part in the next round.
 *  6  The tables are up to date, and the requests of the round read them. If the replica refuses the refresh (an AppError), the tables stay
 *     and the replica answers the round.
 *  7  The refresh fails in any other way, or only a new filling can be right ("outdated").
 *  8  Found by a reader: a statement fails that had not failed before, or the database falls silent. Found by a probe: the database does
 *     not answer.
 *  9  The back-off permits a filling at once: the mirror or its filling was only outdated, or this is the first failure for a while.
 * 10  The back-off does not permit a filling yet.
 *
 * `state()` reports `idle`, `filling`, `ready` and `failed`. It counts a refresh as `ready`, and "dropped" takes no time.
 * A service, which calls `start`, owns the stored mirror. Another process may open it (`restore`), and closes it after a while without a request,
 * or when it is a day old. Then it is `idle` again. It deletes only incomplete mirrors, and stores its own mirror if none exists.
 *
 * A round also begins a filling in the background if the mirror is older than a day or has more replaced rows than accounts. The old mirror
 * answers meanwhile, and the new one takes its place between two rounds. If one of the two is dropped, the other one answers.
 * `close` ends everything.
 */

/** Time limit of statements if the options have none, milliseconds. */
const STATEMENT_MS = 30_000
/** Milliseconds that `probe` waits for the database before it reports the state without the outcome. */
const PROBE_MS = 1_000

/** Creates the mirror. It fills itself when it is started or, if it is required, with the first request. */
export function createReadThrough(options: ReadThroughOptions): ReadThrough {
  const { ownExecutor, isRequired, catalogs, onFailure, turns, patience = patienceFor(STATEMENT_MS) } = options
  const closing = new AbortController()
  let isStarted = isRequired
  let isService = false
  const counters = createCounters()
  const inputs = { ...options, mirror: () => withPlans(options.mirror()), patience, isOwner: () => isService }
  const current = createCurrentMirror({
    ...inputs,
    onRefill(cause) {
      counters.countRefill(cause.reason)
      options.onRefill?.(cause)
    },
    mayFill: () => isStarted,
  })
  const copy = createCopies(inputs, current)
  const failing = createFailingStatements()
  /** True if a request has waited too long since the last answer. This is reported once. */
  let isStalled = false

  /** Drops the mirror if its database does not answer. */
  const probe = async (mirror: Mirror): Promise<void> => {
    const watch = { what: 'a sign of life of the cache', limitMs: patience.silenceMs }
    await whileAlive(watch, () => probeTables(mirror.tables)).catch((error: unknown) => current.drop(mirror, error))
  }

  const rounds = createRounds<WaitingRequest>(
    async (waiting) => {
      const awaited = waiting.filter((each) => !each.isOver())
      if (awaited.length === 0) return
      const declineAll = (reason: Reason) => {
        for (const each of awaited) each.decline(reason)
      }
      if (closing.signal.aborted) return declineAll('closing')
      const mirror = current.take()
      if (mirror === undefined) {
        current.startFilling()
        return declineAll('not_filled')
      }
      // An answer must not be older than its instant, so the instants are read before the refresh opens its snapshot.
      const instants = awaited.map((each) => ({ each, now: each.instant() }))
      const refreshed = await refreshMirror(mirror, { ownExecutor, request: options.request, patience }, closing.signal).catch(
        (error: unknown) => {
          if (closing.signal.aborted) return undefined
          // The replica may grant later what it refuses now. After any other failure these tables are not trusted any more.
          if (error instanceof AppError) onFailure(error)
          else current.drop(mirror, error)
          return undefined
        },
      )
      if (refreshed === undefined) return declineAll(closing.signal.aborted ? 'closing' : 'refresh_failed')
      if (refreshed instanceof Outdated) {
        current.drop(mirror, refreshed)
        return declineAll('outdated')
      }
      current.renew(mirror)
      await Promise.all(instants.map(({ each, now }) => each.begin(mirror, refreshed, now)))
    },
    (error, waiting) => {
      onFailure(error)
      for (const each of waiting) each.decline('failed')
    },
  )

  /** Takes part in a round for nobody. A service that nobody asks finds rows that were edited by hand this way. */
  const nobody: WaitingRequest = {
    isOver: () => false,
    instant: () => options.request().now,
    begin: async () => {},
    decline() {},
  }
  let sweeping: NodeJS.Timeout | undefined

  const context: WaitingOptions = {
    patience,
    turns,
    join: rounds.join,
    holds: current.holds,
    onFailure,
    onSuccess: failing.succeeded,
    onDatabaseFailure(mirror, { error, text }) {
      if (text === undefined || !failing.failed(text)) return current.drop(mirror, error)
      onFailure(error)
      void probe(mirror)
    },
    onLate(error, mirror) {
      if (!isStalled) onFailure(error)
      isStalled = true
      if (mirror !== undefined) void probe(mirror)
    },
  }

  const outcomeOf = async <T>(
    request: () => FeedRequest,
    work: (reading: CacheReading) => Promise<T>,
    signal: AbortSignal | undefined,
    recall: ((facts: CacheFacts) => { readonly value: T } | undefined) | undefined,
  ): Promise<Outcome<T>> => {
    if (!isStarted && current.newest() === undefined) return { declined: 'not_started' }
    if (closing.signal.aborted) return { declined: 'closing' }
    // A stored mirror is open in a moment, long before the replica could answer.
    await current.restored(signal)
    if (isRequired && current.newest() === undefined) {
      current.startFilling()
      await current.idle(signal)
    }
    return answerInRound({ request, work, signal, recall }, context)
  }

  const statistics = (): CacheStatistics => ({ ...current.state(), snapshot_at: current.snapshotAt(), ...counters.figures() })

  return {
    start() {
      // Reads the templates now, so that a fault in a template shows when the service starts and not with its first answer. It also digests the
      // programs now, before others can take their place.
      catalogs.of(options.request().definitions)
      options.header()
      isStarted = true
      isService = true
      current.startFilling()
      sweeping ??= setInterval(() => rounds.join(nobody), patience.sweepMs).unref()
    },
    restore: () => current.during(current.restore),
    async read(request, work, signal, recall) {
      const outcome = await current.during(() => outcomeOf(request, work, signal, recall))
      if ('declined' in outcome) {
        counters.count(outcome.declined)
        return null
      }
      counters.count('answered')
      isStalled = false
      return outcome
    },
    async ready(signal) {
      isStarted = true
      if (current.newest() === undefined) current.startFilling()
      await current.idle(signal)
      return current.state()
    },
    holds: (relation) => catalogs.holds(relation),
    clear: () => current.clear(),
    copy: (directory, signal) => current.during(() => copy(directory, signal)),
    state: current.state,
    load: () => (current.newest() === undefined ? null : turns.load()),
    statistics,
    async probe() {
      const mirror = current.newest()
      // A failed filling is tried again here too, in case no request comes.
      if (mirror === undefined && isStarted) current.startFilling()
      if (mirror !== undefined) await unlessAborted(probe(mirror), AbortSignal.timeout(PROBE_MS)).catch(() => {})
      return statistics()
    },
    async close() {
      closing.abort(new Error('the cache is being closed'))
      // Refuses the requests that wait. Those inside end with the mirror.
      void turns.close()
      clearInterval(sweeping)
      await Promise.all([rounds.idle(), current.close()])
      await whileAlive({ what: 'the closing of the cache', limitMs: patience.silenceMs }, () => ownExecutor.close()).catch(
        onFailure,
      )
    },
  }
}

/** Work that requests share. Requests that come while a round runs take part together in the next one. */
interface Rounds<T> {
  join(request: T): void
  /** Resolves when no round is running. */
  idle(): Promise<void>
}

/** Runs rounds one after the other. If one rejects, `onFailure` is called with its requests, and the next one begins. */
function createRounds<T>(
  run: (requests: readonly T[]) => Promise<void>,
  onFailure: (error: unknown, requests: readonly T[]) => void,
): Rounds<T> {
  let waiting: T[] = []
  let running: Promise<void> | undefined
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const requests = waiting
      waiting = []
      await run(requests).catch((error: unknown) => onFailure(error, requests))
    }
    running = undefined
  }
  return {
    join(request) {
      waiting.push(request)
      running ??= runAll()
    },
    idle: async () => running,
  }
}
