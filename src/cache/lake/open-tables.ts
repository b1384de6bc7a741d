import type { RawTable } from '../../connector-kit/mirror-source.ts'
import { baseCurrency } from '../../core/definitions.ts'
import { AppError } from '../../core/errors.ts'
import type { ConnectorSession } from '../../ports/session.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { refuseLogs } from './change-logs.ts'
import { type CopySettings, readCopy } from './copy.ts'
import type { LakeSource } from './lake-source.ts'
import { type Opening, recordOpening, replayOpening, sessionDigest } from './opening.ts'
import { type Pins, pinTables } from './pins.ts'
import type { LakePlace } from './place.ts'
import { names } from './with-tables.ts'

export interface OpeningOptions extends Pick<LakeSource, 'connector' | 'mirror' | 'definitions' | 'dialect'> {
  /** The schema of the billing tables. */
  readonly billing: LakePlace
  /** How they were copied. */
  readonly copy?: CopySettings
  readonly now: () => Date
  readonly maxSkewMs: number
  /** True for one of several databases in which nothing was committed for a day: its rows are right for `now`, although they end earlier. */
  readonly isUnchanged?: boolean
  /** Currencies of all databases of a publication. Answers may convert into each of them. Absent: those of this one. */
  readonly currencies?: readonly string[]
}

/** Opened billing tables, as one publication reads them. */
export interface Opened {
  readonly pins: Pins
  readonly now: Date
  readonly session: ConnectorSession
  /** `sessionDigest` of the session. */
  readonly digest: string
  readonly opening: Opening
  readonly raw: readonly RawTable[]
}

/** Pins the billing tables and opens the connector on them. It opens twice: only an open session knows which tables it reads. */
export async function openTables(snapshot: Snapshot, options: OpeningOptions): Promise<Opened> {
  const { connector, mirror, definitions, billing, dialect, maxSkewMs, isUnchanged = false } = options
  const copy = await readCopy(snapshot, billing, mirror.columns, options.copy)
  for (const fault of copy.faults) throw fault
  const first = options.now()
  const scout = recordOpening(copy.over(snapshot, copy.selects))
  const before = await connector.open(scout.snapshot, { now: first, definitions })
  await readRates(before, options)
  const texts = scout.opening().reads.map(({ text }) => text)
  const raw = new Set(mirror.tables(before).map(({ name }) => name))
  const read = copy.tables.filter(({ name }) => raw.has(name) || texts.some((text) => names(text, name)))
  const pins = await pinTables(snapshot, billing, read, maxSkewMs)
  if (mirror.columns !== undefined) await refuseLogs(snapshot, copy.copied, pins.rows, mirror.columns.key)
  const isEarlier = !isUnchanged && pins.data_through !== null && pins.data_through < first
  const now = wholeSecond(isEarlier ? pins.data_through : first)
  const pinned = recordOpening(copy.over(snapshot, pins.rows))
  const session = await connector.open(pinned.snapshot, { now, definitions })
  await readRates(session, options)
  const opening = pinned.opening()
  const digest = sessionDigest(session)
  if (sessionDigest(await replayed(opening, { connector, definitions, dialect, now })) !== digest)
    throw new AppError('conflict', 'The files of the connector, such as its catalog, have changed meanwhile. Publish again.')
  return { pins: { ...pins, rows: copy.rowsOf(pins.rows) }, now, session, digest, opening, raw: mirror.tables(session) }
}

/** Opens the connector from an opening, as readers of a publication do. */
export function replayed(
  opening: Opening,
  { connector, definitions, dialect, now }: Pick<LakeSource, 'connector' | 'definitions' | 'dialect'> & { readonly now: Date },
): Promise<ConnectorSession> {
  return connector.open(replayOpening(opening, dialect), { now, definitions })
}

/** Reads the engine's own rates into every currency that may be the base of an answer. */
async function readRates(session: ConnectorSession, options: Pick<OpeningOptions, 'definitions' | 'currencies'>): Promise<void> {
  const currencies = options.currencies ?? session.currencies
  for (const base of new Set([baseCurrency(options.definitions, currencies), ...currencies])) await session.rates(base)
}

/** Instants of answers are whole seconds, as those of a clock. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}
