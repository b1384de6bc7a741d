import type { RawTable } from '../connector-kit/mirror-source.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import type { LakeSource } from './lake-source.ts'
import { type Opening, recordOpening } from './opening.ts'
import { type Pins, pinTables, tablesOf } from './pins.ts'
import type { LakePlace } from './place.ts'
import { names, withTables } from './with-tables.ts'

export interface OpeningOptions extends Pick<LakeSource, 'connector' | 'mirror' | 'definitions'> {
  /** The schema of the billing tables. */
  readonly billing: LakePlace
  /** Base currencies of answers, in addition to the currencies of customers. The engine's own rates into all of them are read. */
  readonly bases: readonly string[]
  readonly now: () => Date
  readonly maxSkewMs: number
}

/** Opened billing tables, as one publication reads them. */
export interface Opened {
  readonly pins: Pins
  readonly now: Date
  readonly session: ConnectorSession
  readonly opening: Opening
  readonly raw: readonly RawTable[]
}

/** Pins the billing tables and opens the connector on them. It opens twice: only an open session knows which tables it reads. */
export async function openTables(snapshot: Snapshot, options: OpeningOptions): Promise<Opened> {
  const { connector, mirror, definitions, billing, maxSkewMs, bases } = options
  const known = await tablesOf(snapshot, billing)
  const first = options.now()
  const scout = recordOpening(snapshot)
  const before = await connector.open(scout.snapshot, { now: first, definitions })
  await readRates(before, bases)
  const texts = scout.opening().reads.map(({ text }) => text)
  const raw = new Set(mirror.tables(before).map(({ name }) => name))
  const read = known.filter(({ name }) => raw.has(name) || texts.some((text) => names(text, name)))
  const pins = await pinTables(snapshot, billing, read, { now: first, maxSkewMs })
  const now = wholeSecond(pins.data_through < first ? pins.data_through : first)
  const pinned = recordOpening({ ...snapshot, query: (statement) => snapshot.query(pinnedStatement(statement, pins)) })
  const session = await connector.open(pinned.snapshot, { now, definitions })
  await readRates(session, bases)
  return { pins, now, session, opening: pinned.opening(), raw: mirror.tables(session) }
}

/** Reads the engine's own rates into every currency that may be the base of an answer. */
async function readRates({ currencies, rates }: ConnectorSession, bases: readonly string[]): Promise<void> {
  for (const base of new Set([...bases, ...currencies])) await rates(base)
}

/** Instants of answers are whole seconds, as those of a clock. */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000)
}

/** Questions about the schema itself name tables as texts, and have no rows of theirs. */
function pinnedStatement(statement: Parameters<Snapshot['query']>[0], { rows }: Pins) {
  return /\binformation_schema\b/.test(statement.text) ? statement : withTables(statement, rows)
}
