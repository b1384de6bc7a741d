import type { FeedRequest } from '../connector-kit/cache-feed.ts'
import { unlessAborted } from '../core/async.ts'
import { AppError } from '../core/errors.ts'
import type { CacheReading, CacheStatistics, ReadThrough } from '../ports/read-through.ts'
import { createCounters, type Reason } from './counters.ts'
import type { Filled } from './filling.ts'
import { createHolder } from './holder.ts'
import { whileAlive } from './liveness.ts'
import { patienceFor, type ReadThroughOptions } from './options.ts'
import { refresh } from './refresh.ts'
import { createRounds } from './rounds.ts'
import { createSuspects } from './suspects.ts'
import { answerInRound, type Outcome, type WaitingOptions, type WaitingRequest } from './waiting-request.ts'

export type { ReadThroughOptions } from './options.ts'

/** Time limit of statements where the options have none, milliseconds. */
const STATEMENT_MS = 30_000
/** How long a probe is awaited before the state is reported without its outcome, milliseconds. */
const PROBE_MS = 1_000

/** A read-through cache: it fills itself when it is started, or when it is first asked if it is required. */
export function createReadThrough(options: ReadThroughOptions): ReadThrough {
  const { ownExecutor, isRequired, catalog, onFailure, patience = patienceFor(STATEMENT_MS) } = options
  const closing = new AbortController()
  const holder = createHolder({ ...options, patience })
  const counters = createCounters()
  const suspects = createSuspects()
  let isStarted = isRequired
  /** True when a request has waited too long since the last answer; this is reported once. */
  let isStalled = false

  /** Drops the filling if its database does not answer. */
  const probe = async (filled: Filled): Promise<void> => {
    const watch = { what: 'a sign of life of the cache', limitMs: patience.silenceMs }
    await whileAlive(watch, () => filled.generation.probe()).catch((error: unknown) => holder.drop(filled, error))
  }

  const rounds = createRounds<WaitingRequest>(
    async (waiting) => {
      const awaited = waiting.filter((each) => !each.isOver())
      if (awaited.length === 0) return
      const declineAll = (reason: Reason) => {
        for (const each of awaited) each.decline(reason)
      }
      if (closing.signal.aborted) return declineAll('closing')
      const filled = holder.take()
      if (filled === undefined) {
        holder.startFilling()
        return declineAll('not_filled')
      }
      holder.renew(filled)
      // An answer must not be older than the instant it is about, so the instants are taken before the refresh opens its snapshot.
      const instants = awaited.map((each) => ({ each, now: each.instant() }))
      const refreshed = await refresh(filled, { ownExecutor, request: options.request, patience }, closing.signal).catch(
        (error: unknown) => {
          if (closing.signal.aborted) return undefined
          // What the replica refuses now it may grant later. After any other failure these tables are not trusted any more.
          if (error instanceof AppError) onFailure(error)
          else holder.drop(filled, error)
          return undefined
        },
      )
      if (refreshed === undefined) return declineAll(closing.signal.aborted ? 'closing' : 'refresh_failed')
      if (refreshed === null) {
        holder.drop(filled)
        return declineAll('outdated')
      }
      await Promise.all(instants.map(({ each, now }) => each.begin(filled, refreshed, now)))
    },
    (error, waiting) => {
      onFailure(error)
      for (const each of waiting) each.decline('failed')
    },
  )

  const context: WaitingOptions = {
    catalog,
    patience,
    join: rounds.join,
    holds: holder.holds,
    onFailure,
    onSuccess: suspects.succeeded,
    onIllness(filled, { error, text }) {
      if (text === undefined || !suspects.failed(text)) return holder.drop(filled, error)
      onFailure(error)
      void probe(filled)
    },
    onLate(error, filled) {
      if (!isStalled) onFailure(error)
      isStalled = true
      if (filled !== undefined) void probe(filled)
    },
  }

  const outcomeOf = async <T>(
    request: () => FeedRequest,
    work: (reading: CacheReading) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> => {
    if (!isStarted) return { declined: 'not_started' }
    if (closing.signal.aborted) return { declined: 'closing' }
    if (isRequired && holder.held() === undefined) {
      holder.startFilling()
      await holder.idle(signal)
    }
    return answerInRound(request, work, signal, context)
  }

  const statistics = (): CacheStatistics => ({ ...holder.state(), snapshot_at: holder.snapshotAt(), ...counters.figures() })

  return {
    start() {
      // A fault in a template is found at the start of a service, not with its first answer.
      catalog()
      isStarted = true
      holder.startFilling()
    },
    async read(request, work, signal) {
      const outcome = await outcomeOf(request, work, signal)
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
      holder.startFilling()
      await holder.idle(signal)
      return holder.state()
    },
    state: holder.state,
    load: () => holder.held()?.generation.database.reader.load() ?? null,
    statistics,
    async probe() {
      const held = holder.held()
      // A filling that failed is tried again even when nobody asks.
      if (held === undefined && isStarted) holder.startFilling()
      if (held !== undefined) await unlessAborted(probe(held), AbortSignal.timeout(PROBE_MS)).catch(() => {})
      return statistics()
    },
    async close() {
      closing.abort(new Error('the cache is being closed'))
      await Promise.all([rounds.idle(), holder.close()])
      await whileAlive({ what: 'the closing of the cache', limitMs: patience.silenceMs }, () => ownExecutor.close()).catch(
        onFailure,
      )
    },
  }
}
