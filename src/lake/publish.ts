import { setTimeout as sleep } from 'node:timers/promises'
import type { Statement } from '../compiler/statement.ts'
import { completeSession } from '../connector-kit/complete-session.ts'
import type { KeyType } from '../connector-kit/mirror-source.ts'
import { parseInteger } from '../core/money.ts'
import { sqlNow } from '../core/periods.ts'
import { inlineTable, type Plan, stepsOf } from '../held/steps.ts'
import type { Executor } from '../ports/executor.ts'
import { inParallel } from './in-parallel.ts'
import { type LakeSource, lakeHeader, publishedRelations } from './lake-source.ts'
import { type Opened, type OpeningOptions, openTables } from './open-tables.ts'
import type { Opening } from './opening.ts'
import { type LakePlace, tableIn } from './place.ts'
import { prove, UnprovenPublication } from './proofs.ts'
import { createPublications, newId, type Publication, type PublicationWriter } from './publications.ts'
import {
  inlineStatements,
  type PublishedTables,
  placedTable,
  type RawStatement,
  rawStatement,
  type StepStatement,
  stepStatements,
  type TableStatement,
  tableOf,
} from './steps-as-tables.ts'
import { tried } from './tries.ts'

export interface PublishOptions extends LakeSource, OpeningOptions {
  /** Its snapshots may write to the schema of the lake, and read the schema of the billing tables by short names. */
  readonly writer: Executor
  readonly place: LakePlace
  /** Names the writer to others. */
  readonly name: string
  /** Steps that run at the same time. */
  readonly parallel: number
  /** Complete publications that stay. */
  readonly keep: number
  /** Called with a sentence for each part that is done. */
  readonly onProgress: (text: string) => void
  /** Called with failures that do not end the publication, such as a table that could not be removed. */
  readonly onFailure: (error: unknown) => void
  /** Called with the failure after which a step is tried again. */
  readonly onRetry?: (error: unknown) => void
}

/** The statements of a publication that is not made. */
export interface PublicationPlan {
  readonly now: string
  readonly data_through: string | null
  readonly versions: Publication['versions']
  readonly statements: readonly { readonly table: string; readonly text: string }[]
}

const BEAT_MS = 60_000
/** A publication stays this long after it was replaced. */
const YOUNG_MS = 3_600_000
/** A publication of another version or other settings stays this long. */
const FOREIGN_MS = 86_400_000
/**
 * Makes a publication: pins the billing tables, copies their rows, runs the steps, proves the result and shows it to all readers at once. A failure
 * removes its tables and leaves the earlier publication. AppError `conflict` if another writer is at work.
 */
export async function publish(options: PublishOptions, signal: AbortSignal): Promise<Publication> {
  const { writer, place, name, onProgress, onFailure } = options
  const publications = createPublications(within(writer, signal), place)
  await publications.prepare()
  const id = newId(options.now())
  const own = createPublications(writer, place)
  let beating: { stop(): Promise<void> } | undefined
  try {
    await publications.begin(id, name)
    beating = repeatedly(() => publications.beat(id, name), onFailure)
    await removeAbandoned(publications, options)
    const made = await makeTables(options, id, signal)
    await publications.complete(made.publication, made.opening)
    onProgress(`${id} is complete.`)
    await beating.stop()
    await clean(options, made, onFailure)
    return made.publication
  } catch (error) {
    // A sign of life that is still on its way would lock out the next writer.
    await beating?.stop()
    await own.remove(id).catch(onFailure)
    throw error
  }
}

/** A table that cannot be removed is no reason to publish nothing. */
async function removeAbandoned(publications: PublicationWriter, { onProgress, onFailure }: PublishOptions): Promise<void> {
  for (const abandoned of await publications.abandoned()) {
    onProgress(`Removing ${abandoned}, whose writer was given up.`)
    await publications.remove(abandoned).catch(onFailure)
  }
}

/** Gives signs of life, one after the other. */
function repeatedly(beat: () => Promise<void>, onFailure: (error: unknown) => void): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (await sleep(BEAT_MS, true, { signal, ref: false }).catch(() => false)) await beat().catch(onFailure)
  })()
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}

/** The statements that `publish` would run. Nothing is written. */
export async function planPublication(options: PublishOptions, signal: AbortSignal): Promise<PublicationPlan> {
  return options.writer.withSnapshot(
    async (snapshot) => {
      const opened = await openTables(snapshot, options)
      const { raw, inline, steps } = statementsOf(options, newId(options.now()), opened, 0)
      const written = inline.flatMap(({ table, statements }) => statements.map((statement) => ({ table, statement })))
      const statements = [...raw, ...written, ...steps].map(({ table, statement }) => ({ table, text: statement.text }))
      return { ...instantsOf(opened), versions: opened.pins.versions, statements }
    },
    { signal },
  )
}

function instantsOf({ now, pins }: Opened): Pick<Publication, 'now' | 'data_through'> {
  return { now: now.toISOString(), data_through: pins.data_through?.toISOString() ?? null }
}

/** The age of the rows of a publication, in sentences. */
function ageOf({ now, pins: { data_through, versions, unchanged } }: Opened): readonly string[] {
  const unpinned = Object.keys(versions).filter((table) => versions[table] === null)
  const through =
    data_through === null
      ? `Billing tables are read as of ${now.toISOString()}. Nobody knows up to when they are complete, because these have no Iceberg snapshot: ${unpinned.join(', ')}.`
      : `Billing tables are complete up to ${data_through.toISOString()}.`
  if (unchanged.length === 0) return [through]
  return [through, `These had no commit for a day, so they count as unchanged: ${unchanged.join(', ')}.`]
}

interface Made {
  readonly publication: Publication
  readonly opening: Opening
  /** Tables that no reader needs. */
  readonly others: readonly string[]
}

async function makeTables(options: PublishOptions, id: string, signal: AbortSignal): Promise<Made> {
  const { writer, parallel, place, onProgress } = options
  const began = performance.now()
  const opened = await writer.withSnapshot((snapshot) => openTables(snapshot, options), { signal })
  for (const sentence of ageOf(opened)) onProgress(sentence)
  const written = new Map<string, number>()
  /** Runs a statement that answers with a number of rows. */
  const countOf = async (statement: Statement): Promise<number> => {
    const [row] = await writer.withSnapshot((snapshot) => snapshot.query(statement), { signal })
    return parseInteger(Object.values(row ?? {})[0] ?? 0)
  }
  const again = (table: string, make: () => Promise<void>): Promise<void> => {
    const drop = () => createPublications(within(writer, signal), place).drop([table])
    const onRetry = (error: unknown) => {
      options.onFailure(error)
      options.onRetry?.(error)
    }
    return tried(make, { drop, onRetry }, signal)
  }
  const make = ({ table, statement }: TableStatement): Promise<void> =>
    again(table, async () => {
      written.set(table, await countOf(statement))
    })
  const { raw } = statementsOf(options, id, opened, 0)
  await inParallel(raw, parallel, make)
  const rows = raw.map(({ table }) => written.get(table) ?? 0)
  await inParallel(raw, parallel, async ({ table, count }) => {
    if (count !== undefined) compare(table, written.get(table), await countOf(count))
  })
  onProgress(`${rows.reduce((sum, count) => sum + count, 0)} rows of ${raw.length} billing tables are copied.`)
  const { inline, steps, tables } = statementsOf(options, id, opened, Math.max(1, ...rows))
  await inParallel(inline, parallel, ({ table, statements, entries }) =>
    again(table, async () => {
      let count = 0
      // The rows of one table follow each other.
      for (const statement of statements) count += await countOf(statement)
      compare(table, count, entries)
    }),
  )
  await inParallel(steps, parallel, make)
  onProgress(`${steps.length} steps have run.`)
  const proven = await writer.withSnapshot((snapshot) => prove(snapshot, tables, sqlNow(opened.now), written), { signal })
  const heldNames = new Set(tables.held.map(({ relation }) => tableOf(id, 'held', relation)))
  const all = [...raw, ...inline, ...steps].map(({ table }) => table)
  return {
    publication: {
      id,
      made_at: options.now().toISOString(),
      seconds: Math.round((performance.now() - began) / 1_000),
      ...instantsOf(opened),
      header: lakeHeader(options),
      session: opened.digest,
      versions: opened.pins.versions,
      rows: proven,
    },
    opening: opened.opening,
    others: [...new Set(all)].filter((table) => !heldNames.has(table)),
  }
}

/** No row may be lost on the way. */
function compare(table: string, found: number | undefined, wanted: number): void {
  if (found !== wanted) throw new UnprovenPublication([`${table} has ${found ?? 'no'} rows, and its source has ${wanted}`])
}

interface Statements {
  readonly raw: readonly RawStatement[]
  /** The tables of rows that the process has. */
  readonly inline: readonly { readonly table: string; readonly statements: readonly Statement[]; readonly entries: number }[]
  readonly steps: readonly StepStatement[]
  readonly tables: PublishedTables
}

function statementsOf(options: PublishOptions, id: string, opened: Opened, rows: number): Statements {
  const { place, dialect, mirror } = options
  const held = publishedRelations(options)
  const keyType: KeyType = mirror.keyType
  const tables: PublishedTables = { id, place, dialect, keyType, held }
  const plan = planOf(options, opened, tables)
  const inlined = plan.params.columns.length === 0 ? plan.inline : [...plan.inline, plan.params]
  return {
    tables,
    raw: opened.raw.map((raw) => rawStatement(raw, opened.pins, tables)),
    inline: inlined.map((relation) => {
      const table = placedTable(tables, inlineTable(relation.name))
      return { table, statements: inlineStatements(table, relation, tables), entries: relation.rows.length }
    }),
    steps: stepStatements(plan, opened.raw, tables, rows),
  }
}

function planOf(options: PublishOptions, { session: opened, now: instant }: Opened, tables: PublishedTables): Plan {
  const { connector, catalog, definitions, dialect, place } = options
  // The held spans end where the engine ends them. A swap window moves ends in the statements of requests (D83).
  const session = completeSession(opened, connector, { ...definitions, swap_window: 0 })
  const wanted = tables.held.map(({ relation }) => relation)
  const now = sqlNow(instant)
  const params = { ...session.params, ...session.paramsFor?.(wanted), now, until: now }
  const placed = (table: string) => tableIn(place, placedTable(tables, table))
  return stepsOf(wanted, [], { catalog, session, dialect, params, placed })
}

/** Removes what nobody needs after a publication. A failure here does not touch the publication. */
async function clean(options: PublishOptions, { publication, others }: Made, onFailure: (error: unknown) => void): Promise<void> {
  const publications = createPublications(options.writer, options.place)
  try {
    await publications.drop(others)
    for (const id of replacedOf(await publications.list(), publication.header, options.keep, options.now()))
      await publications.remove(id)
    await publications.tidy(publication.id)
  } catch (error) {
    onFailure(error)
  }
}

/**
 * The publications that nobody needs any more. Of those with the header, `keep` stay, and so does one that another replaced within the last hour: a
 * running question may read it. Those of other versions or settings stay for a day, because their services may still run.
 */
export function replacedOf(all: readonly Publication[], header: string, keep: number, now: Date): readonly string[] {
  const isBefore = (instant: string, ms: number) => new Date(instant).getTime() < now.getTime() - ms
  const same = all.filter((publication) => publication.header === header)
  const replaced = same.flatMap(({ id }, at) => {
    const successor = same[at - 1]
    return at >= keep && successor !== undefined && isBefore(successor.made_at, YOUNG_MS) ? [id] : []
  })
  const foreign = all.flatMap((each) => (each.header !== header && isBefore(each.made_at, FOREIGN_MS) ? [each.id] : []))
  return [...replaced, ...foreign]
}

function within(writer: Executor, signal: AbortSignal): Pick<Executor, 'withSnapshot'> {
  return { withSnapshot: (work, options) => writer.withSnapshot(work, { ...options, signal }) }
}
