import { AppError } from '../../../core/errors.ts'
import type { StoredSource, SyncRun } from '../../../ports/source-store.ts'
import type { Connectors } from './connectors.ts'
import type { SourceCounters } from './counters.ts'
import { instantIn, type SourceStores } from './deps.ts'
import { dueRun } from './due.ts'
import { executeRun, HOLD_MS, type OnProgress, type RunEnd } from './run.ts'

const TICK_MS = 60_000

/** A run that this process has started or resumed. */
interface BegunRun {
  readonly run: SyncRun
  /** Does not reject if the platform fails. */
  readonly ended: Promise<RunEnd>
}

/** The runs that this process works on. */
export interface Runs {
  /** Starts a run, or resumes a run that was cut off. Undefined if a process is already working on a run of the source. */
  begin(
    stores: SourceStores,
    source: StoredSource,
    wanted: Pick<SyncRun, 'kind' | 'since'>,
    options?: { readonly onProgress?: OnProgress; readonly signal?: AbortSignal },
  ): Promise<BegunRun | undefined>
  /** Starts due runs now and every minute. */
  schedule(openStores: () => Promise<SourceStores>): void
  /** Releases all runs, so that other processes can resume them. Resolves when all of them have stopped. */
  stop(): Promise<void>
}

/** Runs over the connectors. `onFailure` is called with internal errors. */
export function createRuns(
  connectors: Connectors,
  counters: Pick<SourceCounters, 'ran'>,
  onFailure: (error: unknown) => void,
): Runs {
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined

  const begin: Runs['begin'] = async (stores, source, wanted, { onProgress, signal } = {}) => {
    const run = await stores.sources.beginRun({ source_id: source.id, ...wanted }, instantIn(0), instantIn(HOLD_MS))
    if (run === undefined) return undefined
    const stop = signal === undefined ? stopping.signal : AbortSignal.any([stopping.signal, signal])
    const ended: Promise<RunEnd> = executeRun(stores, connectors, source, run, stop, onProgress).then((end) => {
      counters.ran(end.status, end.counts)
      if (end.status === 'failed' && !(end.failure instanceof AppError)) onFailure(end.failure)
      return end
    })
    const noticed: Promise<unknown> = ended.catch(onFailure).finally(() => running.delete(noticed))
    running.add(noticed)
    return { run, ended }
  }
  const look = async (openStores: () => Promise<SourceStores>): Promise<void> => {
    const stores = await openStores()
    const [sources, lastRuns] = [await stores.sources.list(), await stores.sources.lastRuns()]
    for (const source of sources) {
      const platform = connectors.platformOf(source.type)
      if (platform?.isConfigured !== true) continue
      const due = dueRun(source, lastRuns.get(source.id), platform, Date.now())
      if (due === undefined || stopping.signal.aborted) continue
      const begun = await begin(stores, source, { kind: due.kind, since: due.since })
      begun?.ended.then(
        async ({ isIncomplete }) => {
          if (isIncomplete && !stopping.signal.aborted) await begin(stores, source, { kind: 'backfill', since: null })
        },
        () => undefined,
      )
    }
  }
  return {
    begin,
    schedule(openStores) {
      const tick = async (): Promise<void> => {
        const looking = look(openStores).catch((error: unknown) => {
          // Other checks report a store that cannot be reached.
          if (!(error instanceof AppError)) onFailure(error)
        })
        running.add(looking)
        await looking
        running.delete(looking)
        if (!stopping.signal.aborted) timer = setTimeout(() => void tick(), TICK_MS)
      }
      void tick()
    },
    async stop() {
      stopping.abort(new AppError('connector_unavailable', 'The service is stopping.'))
      clearTimeout(timer)
      while (running.size > 0) await Promise.all(running)
    },
  }
}
