import { setTimeout as sleep } from 'node:timers/promises'
import { completeSession } from '../connector-kit/complete-session.ts'
import type { KeyType } from '../connector-kit/mirror-source.ts'
import { AppError } from '../core/errors.ts'
import { parseInteger } from '../core/money.ts'
import { sqlNow } from '../core/periods.ts'
import { inlineTable, type Plan, stepsOf } from '../held/steps.ts'
import type { Executor } from '../ports/executor.ts'
import { inParallel } from './in-parallel.ts'
import { type LakeSource, lakeHeader, publishedRelations } from './lake-source.ts'
import { type Opened, type OpeningOptions, openTables } from './open-tables.ts'
import type { Opening } from './opening.ts'
import { type LakePlace, tableIn } from './place.ts'
import { prove } from './proofs.ts'
import { createPublications, newId, type Publication } from './publications.ts'
import {
  inlineStatements,
  type PublishedTables,
  placedTable,
  rawStatement,
  type StepStatement,
  stepStatements,
  type TableStatement,
  tableOf,
} from './steps-as-tables.ts'

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
}

/** The statements of a publication that is not made. */
export interface PublicationPlan {
  readonly now: string
  readonly data_through: string
  readonly versions: Publication['versions']
  readonly statements: readonly { readonly table: string; readonly text: string }[]
}

const BEAT_MS = 60_000
/** A publication that readers may still use stays this long. */
const YOUNG_MS = 3_600_000
/** A step is tried this many times. */
const TRIES = 4
const RETRY_MS = 2_000
/**
 * Makes a publication: pins the billing tables, copies their rows, runs the steps, proves the result and shows it to all readers at once. A failure
 * removes its tables and leaves the earlier publication. AppError `conflict` if another writer is at work.
 */
export async function publish(options: PublishOptions, signal: AbortSignal): Promise<Publication> {
  const { writer, place, name, onProgress, onFailure } = options
  const publications = createPublications(within(writer, signal), place)
  await publications.prepare()
  const id = newId(options.now())
  await publications.begin(id, name)
  const beating = setInterval(() => void publications.beat(id, name).catch(onFailure), BEAT_MS)
  const own = createPublications(writer, place)
  try {
    for (const abandoned of await publications.abandoned()) {
      onProgress(`Removing ${abandoned}, whose writer was given up.`)
      await publications.remove(abandoned)
    }
    const made = await makeTables(options, id, signal)
    await publications.complete(made.publication, made.opening)
    clearInterval(beating)
    onProgress(`${id} is complete.`)
    await clean(options, made.others, onFailure)
    return made.publication
  } catch (error) {
    clearInterval(beating)
    await own.remove(id).catch(onFailure)
    throw error
  } finally {
    clearInterval(beating)
  }
}

/** The statements that `publish` would run. Nothing is written. */
export async function planPublication(options: PublishOptions, signal: AbortSignal): Promise<PublicationPlan> {
  return options.writer.withSnapshot(
    async (snapshot) => {
      const opened = await openTables(snapshot, options)
      const { raw, inline, steps } = statementsOf(options, newId(options.now()), opened, 0)
      const statements = [...raw, ...inline.flat(), ...steps].map(({ table, statement }) => ({ table, text: statement.text }))
      return { ...instantsOf(opened), versions: opened.pins.versions, statements }
    },
    { signal },
  )
}

function instantsOf({ now, pins }: Opened): { readonly now: string; readonly data_through: string } {
  return { now: now.toISOString(), data_through: pins.data_through.toISOString() }
}

interface Made {
  readonly publication: Publication
  readonly opening: Opening
  /** Tables that no reader needs. */
  readonly others: readonly string[]
}

async function makeTables(options: PublishOptions, id: string, signal: AbortSignal): Promise<Made> {
  const { writer, parallel, place, onProgress } = options
  const opened = await writer.withSnapshot((snapshot) => openTables(snapshot, options), { signal })
  onProgress(`Billing tables are read as of ${opened.pins.data_through.toISOString()}.`)
  const written = new Map<string, number>()
  const make = async ({ table, statement }: TableStatement): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [row] = await writer.withSnapshot((snapshot) => snapshot.query(statement), { signal })
        written.set(table, parseInteger(Object.values(row ?? {})[0] ?? 0))
        return
      } catch (error) {
        const isWorth = error instanceof AppError && error.code === 'connector_unavailable' && attempt < TRIES
        if (!isWorth) throw error
        options.onFailure(error)
      }
      await sleep(RETRY_MS * attempt, undefined, { signal })
      await createPublications(within(writer, signal), place).drop([table])
    }
  }
  const { raw } = statementsOf(options, id, opened, 0)
  await inParallel(
    raw.map((each) => ({ ...each, after: [] })),
    parallel,
    make,
  )
  const rows = raw.map(({ table }) => written.get(table) ?? 0)
  onProgress(`${rows.reduce((sum, count) => sum + count, 0)} rows of ${raw.length} billing tables are copied.`)
  const { inline, steps, tables } = statementsOf(options, id, opened, Math.max(1, ...rows))
  // The rows of one table follow each other.
  await inParallel(
    inline.map((statements) => ({ table: statements[0]?.table ?? '', after: [], statements })),
    parallel,
    async ({ statements }) => {
      for (const statement of statements) await writer.withSnapshot((snapshot) => snapshot.query(statement.statement), { signal })
    },
  )
  await inParallel(steps, parallel, make)
  onProgress(`${steps.length} steps have run.`)
  const proven = await writer.withSnapshot((snapshot) => prove(snapshot, tables, sqlNow(opened.now), written), { signal })
  const heldNames = new Set(tables.held.map(({ relation }) => tableOf(id, 'held', relation)))
  const all = [...raw, ...inline.flat(), ...steps].map(({ table }) => table)
  return {
    publication: {
      id,
      made_at: options.now().toISOString(),
      ...instantsOf(opened),
      header: lakeHeader(options),
      versions: opened.pins.versions,
      rows: proven,
    },
    opening: opened.opening,
    others: [...new Set(all)].filter((table) => !heldNames.has(table)),
  }
}

interface Statements {
  readonly raw: readonly TableStatement[]
  /** The statements of each table of rows that the process has. */
  readonly inline: readonly (readonly TableStatement[])[]
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
    raw: opened.raw.map((raw) => rawStatement(raw, opened.pins.rows, tables)),
    inline: inlined.map((relation) => {
      const table = placedTable(tables, inlineTable(relation.name))
      return inlineStatements(table, relation, tables).map((statement) => ({ table, statement }))
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
async function clean(options: PublishOptions, others: readonly string[], onFailure: (error: unknown) => void): Promise<void> {
  const publications = createPublications(options.writer, options.place)
  try {
    await publications.drop(others)
    const young = options.now().getTime() - YOUNG_MS
    const old = (await publications.list()).slice(options.keep).filter(({ made_at }) => new Date(made_at).getTime() < young)
    for (const { id } of old) await publications.remove(id)
  } catch (error) {
    onFailure(error)
  }
}

function within(writer: Executor, signal: AbortSignal): Pick<Executor, 'withSnapshot'> {
  return { withSnapshot: (work, options) => writer.withSnapshot(work, { ...options, signal }) }
}
