import type { CacheReading } from '../ports/read-through.ts'
import { withReplicaLag } from '../ports/snapshot.ts'
import { createAnswers } from './answers.ts'
import type { Filled } from './filling.ts'
import { type Beat, whileAlive } from './liveness.ts'
import { observed } from './observed.ts'
import type { Patience, ReadThroughOptions } from './options.ts'

/** When more accounts than this have changed, everything is filled anew. */
const MOST_UPDATED = 50_000

/** What a refresh leaves to the requests that wait for it. */
export type Refreshed = Pick<CacheReading, 'session' | 'replicaLag'>

type RefreshOptions = Pick<ReadThroughOptions, 'ownExecutor' | 'request'> & { readonly patience: Patience }

/**
 * Brings the tables up to a new snapshot of the replica and to the clock's now, whatever instant the requests are about. Resolves to
 * null where only a new filling can be right. A refresh that was given up may still write, so its filling must not be used any more.
 */
export async function refresh(filled: Filled, options: RefreshOptions, signal: AbortSignal): Promise<Refreshed | null> {
  const givenUp = new AbortController()
  const watch = { what: 'the refresh of the cache', limitMs: options.patience.silenceMs, signal }
  try {
    return await whileAlive(watch, (beat) => update(filled, options, beat, givenUp.signal))
  } catch (error) {
    givenUp.abort(error)
    throw error
  }
}

function update(filled: Filled, { ownExecutor, request }: RefreshOptions, beat: Beat, signal: AbortSignal) {
  return withReplicaLag(
    ownExecutor,
    async (real, replicaLag) => {
      const snapshot = observed(real, { came: () => beat() })
      const wanted = request()
      const due = await filled.generation.due(wanted.now)
      beat()
      const changes = await filled.feed.changes(snapshot, { ...wanted, due })
      if (!changes.canUpdate || changes.accounts.length > MOST_UPDATED) return null
      if (changes.accounts.length > 0) {
        await filled.generation.replace(changes.accounts, changes.pages(changes.accounts), beat)
        filled.replaced += changes.accounts.length
        filled.answers = createAnswers()
      }
      changes.accept()
      filled.snapshot_at = wanted.now.toISOString()
      return { session: changes.session, replicaLag }
    },
    { signal },
  )
}
