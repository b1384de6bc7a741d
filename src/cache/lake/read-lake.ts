import type { RelationTable, SqlCatalog } from '../../compiler/catalog.ts'
import { once } from '../../core/async.ts'
import type { Definitions } from '../../core/definitions.ts'
import { AppError } from '../../core/errors.ts'
import { sqlInstant } from '../../core/periods.ts'
import type { Executor } from '../../ports/executor.ts'
import type { LakeCheck } from '../../ports/lake.ts'
import type { CacheReading, CacheState, CacheStatistics, ReadThrough } from '../../ports/read-through.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import type { ReplicaLag, Snapshot } from '../../ports/snapshot.ts'
import { type MirrorCatalogs, mirrorCatalogs } from '../held/catalogs.ts'
import { isReadable } from '../held/held-tables.ts'
import { type LakeSource, lakeHeader, publishedRelations } from './lake-source.ts'
import { replayed } from './open-tables.ts'
import { sessionDigest } from './opening.ts'
import { type LakePlace, nameIn } from './place.ts'
import { createPublications, type Publication } from './publications.ts'
import { tableOf } from './steps-as-tables.ts'

export interface LakeOptions extends LakeSource {
  /** Reads the lake. Closed with the cache. */
  readonly executor: Executor
  readonly place: LakePlace
  /** Loads the product's templates over these tables. */
  readonly load: (tables: ReadonlyMap<string, RelationTable>) => SqlCatalog
  /** Longest time between two looks at the table of publications, milliseconds. */
  readonly lookEveryMs: number
  /** True if questions go to the billing tables as long as there is no publication. */
  readonly isStraightAllowed: boolean
  /** Age after which a publication counts as lagging, milliseconds. Default: never. */
  readonly maxAgeMs?: number | undefined
  /** True if nothing is answered from an older one. */
  readonly isOldRefused?: boolean | undefined
  /** Called with the error of a look that failed. Meanwhile the publication before it answers. */
  readonly onFailure: (error: unknown) => void
}

/** The publications of the lake, as the cache of an engine. */
export interface LakeCache extends ReadThrough {
  /** The instant of the publication that answers. Undefined before the first look, and without a publication. */
  now(): Date | undefined
  /** The publication that answers. Undefined as long as there is none. */
  publication(): Publication | undefined
  /** For a probe of readiness. Rejects if Trino cannot be asked, and no publication is open. */
  check(): Promise<LakeCheck>
}

/** A publication that is open for questions. */
interface Open {
  readonly publication: Publication
  readonly session: ConnectorSession
  readonly catalogs: MirrorCatalogs
  readonly mark: CacheReading['mark']
}

const NONE = 'there is no publication'
const FILES =
  'Files that the connector reads, such as its catalog, differ from those of the publication. Give all services and writers the same files, or publish again.'
const OTHERS = 'another version, other settings or other definitions have made the publications'

/** Answers from the newest complete publication. Its instant is the now of the answers, so the clock of the engine has to be `now`. */
export function createLakeCache(options: LakeOptions): LakeCache {
  const { executor, place, connector, definitions, dialect, lookEveryMs, isStraightAllowed, onFailure } = options
  const { maxAgeMs, isOldRefused = false } = options
  const publications = createPublications(executor, place)
  const header = () => lakeHeader(options)
  const published = once(() => publishedRelations(options))
  let open: Open | undefined
  let doubt: string | undefined = NONE
  /** Publications whose failure to open has been logged. */
  const told = new Set<string>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let failure: unknown
  let answered = 0
  let declined = 0

  const opened = async (publication: Publication): Promise<Open> => {
    const now = new Date(publication.now)
    const opening = await publications.openingOf(publication.id)
    const session = await replayed(opening, { connector, definitions, dialect, now })
    if (sessionDigest(session) !== publication.session) throw new AppError('connector_unavailable', FILES)
    const held = published().map((each) => ({
      ...each,
      table: nameIn(place, tableOf(publication.id, 'held', each.relation)),
    }))
    return {
      publication,
      session,
      catalogs: mirrorCatalogs(options.load, () => held, definitions, dialect.name),
      // The rows are right for one instant, and the clock of the answers shows it.
      mark: { from: sqlInstant(now), to: null },
    }
  }
  const look = async (): Promise<void> => {
    const all = await publications.list()
    const own = header()
    doubt = all.length === 0 ? NONE : all[0]?.header === own ? undefined : OTHERS
    for (const publication of all.filter((each) => each.header === own)) {
      if (publication.id === open?.publication.id) return
      try {
        open = await opened(publication)
        return
      } catch (error) {
        // An older one may be whole. Each look tries the newest again.
        if (!told.has(publication.id)) onFailure(error)
        told.add(publication.id)
        doubt = error instanceof AppError ? error.message : `${publication.id} cannot be opened`
      }
    }
    open = undefined
  }
  /** Looks for a newer publication, once for all who ask. A failure leaves the one that answers. */
  const lookAgain = async (isForced = false): Promise<void> => {
    if (looking === undefined && !isForced && performance.now() - lookedAt < lookEveryMs) return
    looking ??= look()
      .then(
        () => {
          failure = undefined
        },
        (error: unknown) => {
          failure = error
          // Without a publication, each question fails with it.
          if (open !== undefined) onFailure(error)
        },
      )
      .finally(() => {
        lookedAt = performance.now()
        looking = undefined
      })
    await looking
  }
  const unavailable = (): never => {
    if (open === undefined && failure !== undefined) throw failure
    throw new AppError('connector_unavailable', `The lake cannot answer: ${doubt ?? NONE}. Run plumbline publish.`)
  }
  const limitText = `lake.max_age_minutes = ${(maxAgeMs ?? 0) / 60_000}`
  const ageOf = ({ made_at }: Publication): number => Math.max(0, Date.now() - new Date(made_at).getTime())
  const isOld = (publication: Publication): boolean => maxAgeMs !== undefined && ageOf(publication) > maxAgeMs
  // A publication is no replica that could catch up, so it has no lag: `data_through` says what it shows.
  const replicaLagOf = (publication: Publication): ReplicaLag => ({
    role: 'unknown',
    lag_seconds: null,
    data_through: publication.data_through,
    doubt: null,
    ...(isOld(publication) && {
      tooOld: `The publication ${publication.id} was made at ${publication.made_at}, and is older than ${limitText}.`,
    }),
  })
  const state = (): CacheState => {
    if (open === undefined)
      return { status: doubt === NONE && failure === undefined ? 'idle' : 'failed', accounts: 0, ...(doubt && { reason: doubt }) }
    return { status: 'ready', accounts: open.publication.rows['customer'] ?? 0 }
  }
  const statistics = (): CacheStatistics => ({
    ...state(),
    snapshot_at: open?.publication.now ?? null,
    answered,
    declined: { not_filled: declined },
    refills: {},
  })
  const refused = (what: string) => new AppError('conflict', `${what}: its rows are publications in the lake.`)

  return {
    now: () => open && new Date(open.publication.now),
    publication: () => open?.publication,
    async check() {
      await lookAgain(open === undefined)
      if (open === undefined && failure !== undefined) throw failure
      if (open === undefined)
        return {
          ok: isStraightAllowed,
          status: 'none',
          publication: null,
          data_through: null,
          made_at: null,
          age_seconds: null,
          ...(doubt === undefined ? {} : { reason: doubt }),
        }
      const { publication } = open
      const missed =
        failure === undefined
          ? doubt
          : `the last look failed: ${failure instanceof AppError ? failure.message : 'internal error'}`
      const reasons = [
        ...(missed === undefined ? [] : [missed]),
        ...(isOld(publication) ? [`it is older than ${limitText}`] : []),
      ]
      return {
        ok: !(isOld(publication) && isOldRefused),
        status: reasons.length === 0 ? 'ready' : 'stale',
        publication: publication.id,
        data_through: publication.data_through,
        made_at: publication.made_at,
        age_seconds: Math.round(ageOf(publication) / 1_000),
        ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }),
      }
    },
    holds: (relation) => isReadable(relation, published()),
    start() {
      options.load(new Map())
      void lookAgain(true)
    },
    async restore() {
      await lookAgain()
      return open === undefined ? (doubt ?? NONE) : null
    },
    async read(request, work, signal, recall) {
      await lookAgain()
      for (let isAgain = false; ; isAgain = true) {
        if (open === undefined) {
          declined += 1
          return isStraightAllowed ? null : unavailable()
        }
        const { publication, session, catalogs, mark } = open
        const replicaLag = replicaLagOf(publication)
        // The clock shows the instant of this publication, because no other work ran since.
        request()
        const recalled = recall?.({ session, replicaLag, mark })
        if (recalled !== undefined) {
          answered += 1
          return recalled
        }
        try {
          const value = await executor.withSnapshot(
            (snapshot: Snapshot) =>
              work({ session, catalogOf: (asked: Definitions) => catalogs.of(asked), snapshot, replicaLag, mark }),
            signal === undefined ? {} : { signal },
          )
          answered += 1
          return { value }
        } catch (error) {
          if (isAgain || !isGone(error, publication)) throw error
        }
        await lookAgain(true)
        if (open?.publication.id === publication.id) unavailable()
      }
    },
    async ready() {
      await lookAgain()
      return state()
    },
    clear: () => Promise.reject(refused('The cache cannot be cleared')),
    copy: () => Promise.reject(refused('The cache cannot be copied')),
    state,
    load: () => (open === undefined ? null : executor.load()),
    statistics,
    async probe() {
      await lookAgain()
      return statistics()
    },
    close: () => executor.close(),
  }
}

/** True if a table of the publication has been removed. */
function isGone(error: unknown, { id }: Publication): boolean {
  if (!(error instanceof AppError) || error.code !== 'unsupported_by_connector') return false
  const missing = error.context?.['missing']
  return Array.isArray(missing) && missing.some((name) => String(name).startsWith(`${id}_`))
}
