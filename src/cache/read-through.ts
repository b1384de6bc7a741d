import { performance } from 'node:perf_hooks'
import type { SqlCatalog } from '../compiler/catalog.ts'
import type { CacheFeed, FeedRequest } from '../connector-kit/cache-feed.ts'
import type { ConnectorSession } from '../connector-kit/connector.ts'
import { AppError } from '../core/errors.ts'
import { sqlInstant } from '../core/periods.ts'
import type { CacheDatabase, Executor } from '../engine/ports.ts'
import type { CacheState, ReadThrough } from '../engine/read-through.ts'
import { type Answers, createAnswers } from './answers.ts'
import { fillGeneration, type Generation } from './generation.ts'
import { createRounds } from './rounds.ts'

export interface ReadThroughOptions {
  /** Two connections of the cache's own: a filling takes none from the requests, and no request keeps a refresh waiting. */
  readonly ownExecutor: Executor
  readonly createFeed: () => CacheFeed
  readonly openDatabase: () => Promise<CacheDatabase>
  readonly catalog: SqlCatalog
  readonly request: () => FeedRequest
  /** True: the first request starts it if nobody did, requests wait for the filling, and a failure is theirs. */
  readonly isRequired: boolean
  readonly onProgress: (state: CacheState) => void
  readonly onFailure: (error: unknown) => void
}

/** More accounts than this are read anew as a whole. */
const MOST_UPDATED = 50_000
/** Seconds until a filling that failed is tried again. */
const RETRY_SECONDS = 60
/** Seconds after which everything is read anew, so that rows deleted behind the engine's back do not stay. */
const RENEW_SECONDS = 86_400

interface Filled {
  readonly feed: CacheFeed
  readonly generation: Generation
  readonly accounts: number
  readonly seconds: number
  /** Of the tables as they are; new ones with each change. */
  answers: Answers
  /** Accounts put in place since; deleted rows take room until the next filling. */
  replaced: number
}

interface Ask {
  readonly request: FeedRequest
  /** Opens the reader's snapshot; resolves when it has begun. */
  begin(filled: Filled, session: ConnectorSession): Promise<void>
  decline(): void
}

/** A read-through cache that fills itself when it is started or first asked. */
export function createReadThrough(options: ReadThroughOptions): ReadThrough {
  const { ownExecutor, isRequired } = options
  const closing = new AbortController()
  let current: Filled | undefined
  /** Filled while `current` served; takes its place between two rounds. */
  let renewed: Filled | undefined
  let filling: Promise<void> | undefined
  let state: CacheState = { status: 'idle', accounts: 0 }
  let failedAt: number | undefined
  let isStarted = isRequired

  const tell = (next: CacheState): void => {
    state = next
    options.onProgress(next)
  }

  const fill = async (): Promise<void> => {
    if (current === undefined) tell({ status: 'filling', accounts: 0 })
    // Feed and database are made in the snapshot: one that cannot be opened leaves nothing behind, one begun anew starts from nothing.
    renewed = await ownExecutor.withSnapshot(
      async (snapshot): Promise<Filled> => {
        const feed = options.createFeed()
        const database = await options.openDatabase()
        let accounts = 0
        const onPage = (count: number): void => {
          accounts = count
          if (current === undefined) tell({ status: 'filling', accounts })
        }
        const generation = await fillGeneration(database, feed.relations, feed.fill(snapshot, options.request()), onPage)
        return { feed, generation, accounts, seconds: secondsNow(), answers: createAnswers(), replaced: 0 }
      },
      { signal: closing.signal },
    )
    tell({ status: 'ready', accounts: renewed.accounts })
  }

  const startFilling = (): void => {
    if (filling !== undefined || closing.signal.aborted) return
    if (failedAt !== undefined && secondsNow() - failedAt < RETRY_SECONDS) return
    filling = fill()
      .then(
        () => {
          failedAt = undefined
        },
        (error: unknown) => {
          if (closing.signal.aborted) return
          failedAt = secondsNow()
          if (current === undefined) tell({ status: 'failed', accounts: 0 })
          options.onFailure(error)
        },
      )
      .finally(() => {
        filling = undefined
      })
  }

  const drop = (filled: Filled): void => {
    if (current === filled) current = undefined
    void filled.generation.close()
    startFilling()
    if (filling === undefined) tell({ status: 'failed', accounts: 0 })
  }

  /** Brings the cache up to a new snapshot of the replica; null when it cannot be. */
  const refresh = (filled: Filled, request: FeedRequest): Promise<ConnectorSession | null> =>
    ownExecutor.withSnapshot(async (snapshot) => {
      const due = await filled.generation.due(sqlInstant(request.now))
      const changes = await filled.feed.changes(snapshot, { ...request, due })
      if (!changes.canUpdate || changes.accounts.length > MOST_UPDATED) return null
      if (changes.accounts.length > 0) {
        await filled.generation.replace(changes.accounts, changes.pages(changes.accounts))
        filled.replaced += changes.accounts.length
        filled.answers = createAnswers()
      }
      changes.accept()
      return changes.session
    })

  const takeRenewed = (): Filled | undefined => {
    if (renewed === undefined) return current
    void current?.generation.close()
    current = renewed
    renewed = undefined
    return current
  }

  const rounds = createRounds<Ask>(async (asks) => {
    const filled = takeRenewed()
    if (filled === undefined) {
      startFilling()
      for (const ask of asks) ask.decline()
      return
    }
    if (secondsNow() - filled.seconds > RENEW_SECONDS || filled.replaced > filled.accounts) startFilling()
    const newest = asks.reduce((last, ask) => (ask.request.now > last.request.now ? ask : last)).request
    const session = await refresh(filled, newest).catch((error: unknown) => {
      options.onFailure(error)
      // What the replica refuses now it may grant again; whatever else has gone wrong, these tables are trusted no longer.
      if (!(error instanceof AppError)) {
        failedAt = secondsNow()
        drop(filled)
      }
      return undefined
    })
    if (session === null) drop(filled)
    if (session === null || session === undefined) {
      for (const ask of asks) ask.decline()
      return
    }
    await Promise.all(asks.map((ask) => ask.begin(filled, session)))
  })

  const read: ReadThrough['read'] = async (request, work, signal) => {
    if (!isStarted) return null
    if (isRequired && current === undefined && renewed === undefined) {
      startFilling()
      await filling
    }
    return new Promise((resolve, reject) => {
      rounds.join({
        request,
        decline: () => resolve(null),
        begin: (filled, session) =>
          new Promise((begun) => {
            const now = sqlInstant(request.now)
            const { answers, generation } = filled
            const { from, to } = generation.validity()
            if (now < from || (to !== null && now >= to)) {
              resolve(null)
              begun()
              return
            }
            generation.database.reader
              .withSnapshot(
                (snapshot) => {
                  begun()
                  return work({ session, catalog: options.catalog, snapshot: answers.over(snapshot) })
                },
                signal === undefined ? {} : { signal },
              )
              .then(
                (value) => resolve({ value }),
                (error: unknown) => {
                  if (isRequired || error instanceof AppError || signal?.aborted === true) return reject(error)
                  options.onFailure(error)
                  resolve(null)
                },
              )
              .finally(begun)
          }),
      })
    })
  }

  return {
    start() {
      isStarted = true
      startFilling()
    },
    read,
    async ready() {
      isStarted = true
      startFilling()
      await filling
      return state
    },
    state: () => state,
    async close() {
      closing.abort(new Error('the cache is being closed'))
      await filling
      await rounds.idle()
      await takeRenewed()?.generation.close()
      await ownExecutor.close()
    },
  }
}

function secondsNow(): number {
  return performance.now() / 1000
}
