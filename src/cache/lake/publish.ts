import { setTimeout as sleep } from 'node:timers/promises'
import type { Statement } from '../../compiler/statement.ts'
import { completeSession } from '../../connector-kit/complete-session.ts'
import type { KeyType } from '../../connector-kit/mirror-source.ts'
import { sqlNow } from '../../core/periods.ts'
import type { Executor } from '../../ports/executor.ts'
import { inlineTable, type Plan, stepsOf } from '../held/steps.ts'
import type { LakeDatabase } from './databases/database.ts'
import {
  openedOf,
  openParts,
  type Part,
  partsOf,
  type United,
  unitedTables,
  uniteOpened,
  uniteTables,
} from './databases/publish-parts.ts'
import { inParallel } from './in-parallel.ts'
import { type LakeSource, lakeHeader, publishedRelations } from './lake-source.ts'
import { createMaking, type Making, within } from './making.ts'
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
  tableOf,
} from './steps-as-tables.ts'

export interface PublishOptions extends LakeSource, OpeningOptions {
  /** Its snapshots may write to the schema of the lake, and read the schema of the billing tables by short names. */
  readonly writer: Executor
  readonly place: LakePlace
  /** Several databases, whose connector unites them. Absent: the publication is of the one database `billing`. */
  readonly databases?: readonly LakeDatabase[] | undefined
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
      const id = newId(options.now())
      const parts = partsOf(options, id)
      const opened = await openParts(parts, snapshot, openTables)
      const made = parts.flatMap((part, index) => {
        const { raw, inline, steps } = statementsOf(part, openedOf(opened, index), 0)
        const written = inline.flatMap(({ table, statements }) => statements.map((statement) => ({ table, statement })))
        return [...raw, ...written, ...steps]
      })
      const united = unitedTables(parts, tablesOf(options, id), 0).flat()
      const statements = [...made, ...united].map(({ table, statement }) => ({ table, text: statement.text }))
      const all = await uniteOpened(options, parts, opened)
      return { ...instantsOf(all), versions: all.pins.versions, statements }
    },
    { signal },
  )
}

function instantsOf({ now, pins }: United): Pick<Publication, 'now' | 'data_through'> {
  return { now: now.toISOString(), data_through: pins.data_through?.toISOString() ?? null }
}

/** The age of the rows of a publication, in sentences. */
function ageOf({ now, pins: { data_through, versions, unchanged }, ends = [] }: United): readonly string[] {
  const unpinned = Object.keys(versions).filter((table) => versions[table] === null)
  const through =
    data_through === null
      ? `Billing tables are read as of ${now.toISOString()}. Nobody knows up to when they are complete, because these have no Iceberg snapshot: ${unpinned.join(', ')}.`
      : `Billing tables are complete up to ${data_through.toISOString()}.`
  const told = ends.map((each) => `${each.name} ${each.through?.toISOString() ?? 'unknown'}`)
  const behind =
    ends.length < 2
      ? []
      : [`Each database is complete up to: ${told.join(', ')}. One that ends a day before another counts as unchanged.`]
  if (unchanged.length === 0) return [through, ...behind]
  return [through, ...behind, `These had no commit for a day, so they count as unchanged: ${unchanged.join(', ')}.`]
}

interface Made {
  readonly publication: Publication
  readonly opening: Opening
  /** Tables that no reader needs. */
  readonly others: readonly string[]
}

async function makeTables(options: PublishOptions, id: string, signal: AbortSignal): Promise<Made> {
  const { writer, onProgress } = options
  const began = performance.now()
  const parts = partsOf(options, id)
  const opened = await writer.withSnapshot((snapshot) => openParts(parts, snapshot, openTables), { signal })
  const all = await uniteOpened(options, parts, opened)
  for (const sentence of ageOf(all)) onProgress(sentence)
  const making = createMaking(options, signal)
  const others: string[] = []
  for (const [index, part] of parts.entries()) others.push(...(await runSteps(part, openedOf(opened, index), making)))
  const tables = tablesOf(options, id)
  if (options.databases !== undefined) await uniteTables(options, parts, tables, making, signal)
  const proven = await writer.withSnapshot((snapshot) => prove(snapshot, tables, sqlNow(all.now), making.written), { signal })
  const heldNames = new Set(tables.held.map(({ relation }) => tableOf(id, 'held', relation)))
  return {
    publication: {
      id,
      made_at: options.now().toISOString(),
      seconds: Math.round((performance.now() - began) / 1_000),
      ...instantsOf(all),
      header: lakeHeader(options),
      session: all.digest,
      versions: all.pins.versions,
      rows: proven,
    },
    opening: all.opening,
    others: [...new Set(others)].filter((table) => !heldNames.has(table)),
  }
}

/** Copies the rows of a database and runs its steps. Resolves to the names of all its tables. */
async function runSteps(part: Part, opened: Opened, { make, countOf, written }: Making): Promise<readonly string[]> {
  const { options, database } = part
  const { parallel, onProgress } = options
  const ofDatabase = database === undefined ? '' : ` of ${database.name}`
  const { raw } = statementsOf(part, opened, 0)
  await inParallel(raw, parallel, ({ table, statement }) => make(table, [statement]))
  const rows = raw.map(({ table }) => written.get(table) ?? 0)
  await inParallel(raw, parallel, async ({ table, count }) => {
    if (count !== undefined) compare(table, written.get(table), await countOf(count))
  })
  onProgress(`${rows.reduce((sum, count) => sum + count, 0)} rows of ${raw.length} billing tables${ofDatabase} are copied.`)
  const { inline, steps } = statementsOf(part, opened, Math.max(1, ...rows))
  await inParallel(inline, parallel, async ({ table, statements, entries }) => {
    await make(table, statements)
    compare(table, written.get(table), entries)
  })
  await inParallel(steps, parallel, ({ table, statement }) => make(table, [statement]))
  onProgress(`${steps.length} steps${ofDatabase} have run.`)
  return [...raw, ...inline, ...steps].map(({ table }) => table)
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
}

function tablesOf(options: PublishOptions, id: string): PublishedTables {
  const { place, dialect, mirror } = options
  const keyType: KeyType = mirror.keyType
  return { id, place, dialect, keyType, held: publishedRelations(options) }
}

function statementsOf({ options, id }: Part, opened: Opened, rows: number): Statements {
  const tables = tablesOf(options, id)
  const plan = planOf(options, opened, tables)
  const inlined = plan.params.columns.length === 0 ? plan.inline : [...plan.inline, plan.params]
  return {
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
