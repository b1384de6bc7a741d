import type { KeyRange, RefillCause } from '../../connector-kit/mirror-source.ts'
import { AppError } from '../../core/errors.ts'
import type { CacheDatabase, CacheRoom, CacheWriter } from '../../ports/cache-database.ts'
import { type CacheFacts, type ChangeMark, isWithin } from '../../ports/read-through.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import { withReplicaLag } from '../../ports/snapshot.ts'
import { headerOf } from '../held/header.ts'
import { type Answers, createAnswers } from './answers.ts'
import { isSameSession, newMark } from './change-mark.ts'
import { createSweep, editedCustomers, highestKey, type Sweep } from './content.ts'
import { type FilledSoFar, type FillInputs, fill } from './fill.ts'
import { NOT_STORED } from './health.ts'
import { createKeptSets, type KeptSets } from './kept-sets.ts'
import { type Beat, observed, whileAlive } from './liveness.ts'
import {
  customerCount,
  dueCustomers,
  heldCustomers,
  type MirrorTables,
  nextInstant,
  nextLocalDay,
  readValidity,
  storedTables,
} from './mirror-tables.ts'
import type { Patience, ReadThroughOptions } from './options.ts'
import { rebuild } from './rebuild.ts'
import { retried } from './retries.ts'
import { readState, writeState } from './state.ts'
import { earlier, type FirstLater } from './store-rows.ts'

/** A filled mirror. It answers until a newer one replaces it or it is dropped. */
export interface Mirror {
  readonly tables: MirrorTables
  readonly accounts: number
  /** The instant of its filling, milliseconds since 1970. `HAS_TRACES`: its file has to be replaced. */
  filledAt: number
  readonly sweep: Sweep
  readonly kept: KeptSets
  /** Stored answers over the current tables. Each change of the tables begins with new ones. */
  answers: Answers
  /** The mark of the last refresh and its session. Undefined before the first refresh. */
  marked: { readonly mark: ChangeMark; readonly session: ConnectorSession } | undefined
  /** Number of accounts replaced since the filling. Their deleted rows take up room until the next filling. */
  replaced: number
  /** Instant of the replica's snapshot to which the tables were last brought up. */
  snapshot_at: string
}

export interface FillingOptions
  extends Pick<ReadThroughOptions, 'ownExecutor' | 'mirror' | 'catalogs' | 'files' | 'request' | 'header' | 'bucket'> {
  readonly patience: Patience
  /** True in a service. Other processes remove no stored mirror, and store theirs only if there is none. */
  readonly isOwner: () => boolean
  readonly onProgress: (progress: FilledSoFar) => void
  readonly onFailure: (error: unknown) => void
}

/** Facts about the mirrors before a new one. */
export interface Before {
  /** The room of the mirror that the new one will replace. */
  readonly room?: CacheRoom | undefined
  /** True if the file of the filling before had no room. */
  readonly inMemory: boolean
}

/** The first pause within a filling, as a part of the wait for the next filling (Patience.retryMs). */
const FIRST_PAUSE = 1 / 100

/** Fills a new database, and brings it up to date. An abandoned filling leaves nothing behind. */
export async function fillMirror(options: FillingOptions, signal: AbortSignal, before: Before): Promise<Mirror> {
  const givenUp = new AbortController()
  const opened: CacheDatabase[] = []
  const discard = (database: CacheDatabase) => database.discard().catch(options.onFailure)
  const open = async () => {
    // A standby may cancel the first snapshot. The next one starts with an empty database.
    for (const earlier of opened.splice(0)) void discard(earlier)
    const database = await options.files.create({ mayRemove: options.isOwner(), inMemory: before.inMemory })
    if (givenUp.signal.aborted) void discard(database)
    opened.push(database)
    givenUp.signal.throwIfAborted()
    return database
  }
  const watch = { what: 'the filling of the cache', limitMs: options.patience.silenceMs, signal }
  try {
    return await whileAlive(watch, (beat) => fillIn(options, { open, earlier: before.room, beat, signal: givenUp.signal }))
  } catch (error) {
    givenUp.abort(error)
    for (const database of opened) void discard(database)
    throw error
  }
}

async function fillIn(options: FillingOptions, work: Pick<FillInputs, 'open' | 'earlier' | 'beat' | 'signal'>): Promise<Mirror> {
  const { beat, signal } = work
  const { ownExecutor, mirror, catalogs, request, bucket, onProgress, onFailure } = options
  const retries = { pauseMs: options.patience.retryMs * FIRST_PAUSE, beat, signal, onRetry: onFailure }
  const inputs = { ...work, executor: ownExecutor, request, bucket, retries, onProgress }
  const { tables, request: first } = await fill({ ...mirror(), ...inputs })
  const filled: Mirror = {
    tables,
    accounts: await tables.database.write(customerCount),
    filledAt: Date.now(),
    sweep: createSweep(options.patience.sweepMs, false),
    kept: createKeptSets(tables, catalogs, onFailure),
    answers: createAnswers(),
    marked: undefined,
    replaced: 0,
    snapshot_at: first.now.toISOString(),
  }
  // Whatever has changed since the first snapshot, a refresh brings it up to date faster than another filling would.
  const refreshed = await retried(() => update(filled, options, beat, signal, Number.POSITIVE_INFINITY), retries)
  if (refreshed instanceof Outdated) throw refreshed
  await tables.database.write((writer) =>
    writer.transaction(async () => {
      await writeState(writer, 'header', headerOf(tables, options.header()))
      await writeState(writer, 'filled_at', filled.filledAt)
      await writeState(writer, 'marks', tables.marks)
    }),
  )
  if (options.isOwner()) await options.files.keepOnly(tables.database).catch(options.onFailure)
  return filled
}

const HALF = 'its filling has not ended'

/**
 * The mirror of an earlier process, if one is stored and its rows still have the same meaning. It is as old as when that process ended, so a
 * refresh must come before an answer. A service removes a mirror that it cannot use. Another process removes only half a filling: any other mirror
 * may be that of another version. A text is the reason why there is none, as the end of a sentence.
 */
export async function restoreMirror(options: FillingOptions): Promise<Mirror | string> {
  const { files, isOwner, onFailure } = options
  const isKept = !isOwner()
  let why = NOT_STORED
  const onUnused = (reason: string) => {
    why = reason
  }
  for (;;) {
    const database = await files.open({ isKept, onUnused })
    if (database === null) return why
    const restored = await database.write((writer) => restoreFrom(database, writer, options)).catch(() => 'it is damaged')
    if (typeof restored !== 'string') return restored
    onUnused(restored)
    try {
      await (isKept && restored !== HALF ? database.close() : database.discard())
    } catch (error) {
      onFailure(error)
      return why
    }
    if (isKept) return why
    // A process that ended while it filled a newer one has left the older one too.
  }
}

async function restoreFrom(database: CacheDatabase, writer: CacheWriter, options: FillingOptions): Promise<Mirror | string> {
  const tables = storedTables(database, writer.dialect, options.mirror())
  const { header, marks, filled_at } = await readState(writer)
  if (marks === undefined || typeof filled_at !== 'number') return HALF
  if (header !== headerOf(tables, options.header())) return 'another version or other definitions have made it'
  tables.marks = marks
  tables.validity = await readValidity(writer)
  const accounts = await customerCount(writer)
  const kept = createKeptSets(tables, options.catalogs, options.onFailure)
  return {
    tables,
    kept,
    accounts,
    filledAt: filled_at,
    sweep: createSweep(options.patience.sweepMs, true),
    answers: createAnswers(),
    marked: undefined,
    replaced: 0,
    snapshot_at: '',
  }
}

/** If more than this share of the accounts has changed, the mirror is filled again. Fewer accounts than `LEAST` are always refreshed. */
const SHARE = 0.3
const LEAST = 10_000

/** The part of a reading that comes from the refresh. */
export type Refreshed = CacheFacts

/** The cause of a refill for marks that the connector does not understand. */
const OTHER_MARKS: RefillCause = { reason: 'database_replaced', text: 'the billing database is another one' }

/** Only a new filling can be right. */
export class Outdated extends AppError {
  readonly refill: RefillCause

  constructor(refill = OTHER_MARKS) {
    super('connector_unavailable', `The cache has to be filled again: ${refill.text}.`)
    this.refill = refill
  }
}

type RefreshOptions = Pick<ReadThroughOptions, 'ownExecutor' | 'request'> & { readonly patience: Patience }

/**
 * Brings the tables up to a new snapshot of the replica and to the present instant of the clock, not to the instants of the
 * requests. Resolves to the reason if only a new filling can be right. An abandoned refresh may still write, so its mirror must not be
 * used any more.
 */
export async function refreshMirror(mirror: Mirror, options: RefreshOptions, signal: AbortSignal): Promise<Refreshed | Outdated> {
  const givenUp = new AbortController()
  const watch = { what: 'the refresh of the cache', limitMs: options.patience.silenceMs, signal }
  const most = Math.max(LEAST, SHARE * mirror.accounts)
  try {
    return await whileAlive(watch, (beat) => update(mirror, options, beat, givenUp.signal, most))
  } catch (error) {
    givenUp.abort(error)
    throw error
  }
}

/**
 * A new mark. It ends before the first later instant in the rows and before the next local day of a customer. The first one may be too early,
 * because rows that were replaced count until the last mark ends. `before` is the mark of the rows that were not replaced, `later` the first
 * instant of the new rows.
 */
async function markAt(tables: MirrorTables, before: ChangeMark | undefined, later: FirstLater, now: Date): Promise<ChangeMark> {
  const isKnown = later !== undefined && before !== undefined && isWithin(before, now)
  const next = isKnown ? earlier(before.to, later) : await nextInstant(tables, now)
  return newMark(now, earlier(next, await nextLocalDay(tables, now)))
}

/** The instant of the filling of a mirror whose file still has traces of rows that somebody has edited or deleted by hand. */
export const HAS_TRACES = 0

/** Has the file replaced. DuckDB does not overwrite the blocks of deleted rows, and the next process may be the one that replaces it. */
async function markTraces(mirror: Mirror): Promise<void> {
  const { database } = mirror.tables
  if (database.file === null) return
  await database.write((writer) => writer.transaction(() => writeState(writer, 'filled_at', HAS_TRACES)))
  mirror.filledAt = HAS_TRACES
}

/** The keys whose digests are to be compared now. */
async function dueRange({ tables, sweep }: Mirror): Promise<KeyRange | null> {
  return tables.source.content === undefined ? null : sweep.due(await highestKey(tables))
}

function update(
  mirror: Mirror,
  { ownExecutor, request }: Omit<RefreshOptions, 'patience'>,
  beat: Beat,
  signal: AbortSignal,
  most: number,
): Promise<Refreshed | Outdated> {
  const { tables } = mirror
  return withReplicaLag(
    ownExecutor,
    async (real, replicaLag) => {
      const snapshot = observed(real, { received: () => beat() })
      const feedRequest = request()
      const due = await dueCustomers(tables, feedRequest.now)
      beat()
      const look = await tables.source.look(snapshot, feedRequest, tables.marks, () => heldCustomers(tables))
      if (look.extent === 'refill') return new Outdated(look.cause)
      const range = await dueRange(mirror)
      const edited = range === null ? [] : await editedCustomers(tables, snapshot, look.session, range)
      beat()
      const customers = [...new Set([...due, ...look.customers, ...edited])]
      const isByHand = edited.some((key) => !look.customers.includes(key))
      if (customers.length > most)
        return new Outdated({ reason: 'many_customers', text: `${customers.length} accounts have changed` })
      let later: FirstLater = null
      const before = mirror.marked
      if (look.extent !== 'none' || customers.length > 0) {
        // Neither may outlive a failure half-way, after which some rows are new.
        mirror.marked = undefined
        mirror.answers = createAnswers()
        if (isByHand) await markTraces(mirror)
        const dialect = snapshot.dialect.name
        later = await rebuild(tables, snapshot, customers, { request: feedRequest, look, dialect, beat })
        mirror.replaced += customers.length
      }
      if (range !== null) mirror.sweep.done(range)
      await mirror.kept.refresh([...tables.replaced])
      tables.replaced.clear()
      beat()
      // Marks of a look without changes are not stored: from older marks, the next process finds the same or more.
      tables.marks = look.marks
      mirror.snapshot_at = feedRequest.now.toISOString()
      const { session } = look
      const isUnchanged =
        before !== undefined &&
        customers.length === 0 &&
        isWithin(before.mark, feedRequest.now) &&
        (look.extent === 'none' || (await isSameSession(before.session, session, feedRequest.definitions)))
      const mark = isUnchanged ? before.mark : await markAt(tables, before?.mark, later, feedRequest.now)
      mirror.marked = { mark, session }
      return { session, replicaLag, mark }
    },
    { signal },
  )
}
