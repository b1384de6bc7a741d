import { AppError, errorFromIssues, suggest } from '../../../core/errors.ts'
import type { StoredSource } from '../../../ports/source-store.ts'
import { mustBe, oneOf } from '../../../query/issues.ts'
import { BACKFILL } from '../../records/source.ts'
import { isFileSource, type RunAnswer, runAnswer } from './answers.ts'
import { type Connectors, configured } from './connectors.ts'
import type { SourceStores, SourcesDependencies } from './deps.ts'
import type { OnProgress } from './run.ts'
import type { Runs } from './runs.ts'

/** Answer to a backfill request: started, or nothing to do (http-api.md 8). */
export type BackfillAnswer =
  | { readonly status: 'started'; readonly source_id: string; readonly run_id: string }
  | { readonly status: 'nothing_to_backfill'; readonly source_id: string; readonly detail: string }

/** The sources to read, and the progress callback. */
export interface BackfillOptions {
  readonly type: string
  readonly source_id?: string | undefined
  /** First day. Documents dated before it are left out. */
  readonly since?: string | undefined
  readonly onProgress?: (source_id: string, counts: Parameters<OnProgress>[0]) => void
  readonly signal?: AbortSignal
}

/** Result of a completed backfill. */
export type BackfillReport =
  | Extract<BackfillAnswer, { status: 'nothing_to_backfill' }>
  | { readonly status: 'succeeded'; readonly source_id: string; readonly run: RunAnswer }

interface Backfills {
  begin(id: string, body: unknown): Promise<BackfillAnswer>
  pull(options: BackfillOptions): Promise<readonly BackfillReport[]>
}

/** Backfills of sources, one run at a time per source. */
export function createBackfills(
  deps: SourcesDependencies,
  openStores: () => Promise<SourceStores>,
  connectors: Connectors,
  runs: Runs,
): Backfills {
  const { connectorType } = deps
  const nothing = (source_id: string) => ({
    status: 'nothing_to_backfill' as const,
    source_id,
    detail: `${connectorType} is read live from its own database. Every answer has its whole history, so there is nothing to backfill.`,
  })
  const imported = (source_id: string) => ({
    status: 'nothing_to_backfill' as const,
    source_id,
    detail: 'This source is imported from files. Import a file to change it.',
  })
  const databases = async () => (await deps.databaseSources()).map(({ source_id }) => source_id)

  return {
    async begin(id, body) {
      const { since = null } = BACKFILL.parse(body)
      const stores = deps.store?.enabled === true ? await openStores() : undefined
      const source = await stores?.sources.get(id)
      if (stores === undefined || source === undefined) {
        if ((await databases()).includes(id)) return nothing(id)
        throw new AppError('not_found', 'No source has this id.')
      }
      if (isFileSource(source)) return imported(id)
      checkConnected(source, connectors)
      const begun = await runs.begin(stores, source, { kind: 'backfill', since })
      if (begun === undefined) throw beingRead(id)
      return { status: 'started', source_id: id, run_id: begun.run.id }
    },
    async pull({ type, source_id, since = null, onProgress, signal }) {
      BACKFILL.parse(since === null ? {} : { since })
      if (type === connectorType) {
        const own = await databases()
        if (source_id !== undefined && !own.includes(source_id)) throw noSource(type, own)
        return (source_id === undefined ? own : [source_id]).map(nothing)
      }
      if (connectors.platformOf(type) === undefined) throw unknownType(type, deps)
      const stores = await openStores()
      const known = (await stores.sources.list()).filter((source) => source.type === type)
      if (known.length === 0) configured(connectors.platformOf(type), type)
      const wanted =
        source_id === undefined
          ? known.filter(({ status }) => status !== 'disconnected')
          : known.filter(({ id }) => id === source_id)
      if (wanted.length === 0)
        throw noSource(
          type,
          known.map(({ id }) => id),
        )
      const reports: BackfillReport[] = []
      for (const source of wanted) {
        checkConnected(source, connectors)
        const progress =
          onProgress === undefined ? {} : { onProgress: (counts: Parameters<OnProgress>[0]) => onProgress(source.id, counts) }
        const stopped = signal === undefined ? {} : { signal }
        const begun = await runs.begin(stores, source, { kind: 'backfill', since }, { ...progress, ...stopped })
        if (begun === undefined) throw beingRead(source.id)
        const end = await begun.ended
        if (end.status !== 'succeeded') throw end.failure
        const run = (await stores.sources.lastRuns()).get(source.id) ?? begun.run
        reports.push({ status: 'succeeded', source_id: source.id, run: runAnswer(run) })
      }
      return reports
    },
  }
}

function checkConnected({ id, type, status }: StoredSource, connectors: Connectors): void {
  configured(connectors.platformOf(type), type)
  if (status !== 'connected') throw new AppError('conflict', `The source "${id}" is not connected. Connect it first.`)
}

function beingRead(id: string): AppError {
  return new AppError('conflict', `The source "${id}" is being read by another run. Try again later.`)
}

function noSource(type: string, known: readonly string[]): AppError {
  const message = `There is no such source of ${type}; there ${known.length === 0 ? 'are none: connect one first' : `are ${known.join(', ')}`}.`
  return errorFromIssues([{ code: 'not_found', where: 'params.source_id', message, did_you_mean: [] }])
}

function unknownType(type: string, { connectorType, platforms }: SourcesDependencies): AppError {
  const known = [connectorType, ...platforms.map((platform) => platform.type)]
  const issue = {
    code: 'invalid_value' as const,
    where: 'params.source',
    value: type,
    message: mustBe('source', oneOf(known), type),
  }
  return errorFromIssues([{ ...issue, did_you_mean: suggest(type, known) }])
}
