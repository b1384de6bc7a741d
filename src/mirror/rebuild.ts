import { completeSession } from '../connector-kit/complete-session.ts'
import { customersIn, type Look, type RawTable } from '../connector-kit/mirror-source.ts'
import { ident, join, sql } from '../connector-kit/query-runner.ts'
import { chunksOf } from '../core/batches.ts'
import { sqlNow } from '../core/periods.ts'
import type { CacheWriter } from '../ports/cache-database.ts'
import type { FeedRequest } from '../ports/read-through.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { type ReadRows, readRows } from './copy-rows.ts'
import { CUSTOMER_KEY, send } from './held-tables.ts'
import type { Beat } from './liveness.ts'
import { type MirrorTables, smallWorkOf, workOf } from './mirror-tables.ts'
import { type Plan, type Step, stepsOf, stepTable } from './steps.ts'
import { CHANGES, earlier, type FirstLater, type Made, storeMarks, storeRows } from './store-rows.ts'
import { WANTED, type WorkArea } from './work-area.ts'

/** The relation that links customers: those that share a key depend on each other's raw rows. */
export const LINK = 'customer_link'
/** Number of customers that are made together in a refresh. */
const TOGETHER = 2_000

/** A snapshot of the billing database, and what the source says about it. */
export interface RebuildInputs {
  readonly request: FeedRequest
  readonly look: Look
  readonly beat: Beat
}

/** The steps of a mirror for one session. The steps up to the links come first. */
export interface MirrorPlan {
  readonly raw: readonly RawTable[]
  readonly plan: Plan
  readonly links: readonly Step[]
  readonly others: readonly Step[]
}

/** Plans the steps of a mirror. */
export function planOf(
  { source, connector, catalog, held, dialect }: MirrorTables,
  { look, request }: RebuildInputs,
): MirrorPlan {
  // The held spans end where the engine ends them. A swap window moves ends in the statements of requests (D83).
  const session = completeSession(look.session, connector, { ...request.definitions, swap_window: 0 })
  const names = held.map(({ relation }) => relation)
  const kept = [...names.filter((name) => name === LINK), CHANGES]
  const relations = [...kept, ...names]
  const now = sqlNow(request.now)
  const params = { ...session.params, ...session.paramsFor?.(relations), now, until: now }
  const plan = stepsOf(names, kept, { catalog, session, dialect, params })
  const end = plan.steps.findIndex(({ relation }) => relation === LINK) + 1
  return { raw: source.tables(session), plan, links: plan.steps.slice(0, end), others: plan.steps.slice(end) }
}

/** Makes rows from raw rows that have been read, and stores them in one transaction. */
export async function makeAndStore(
  tables: MirrorTables,
  writer: CacheWriter,
  { raw, plan }: MirrorPlan,
  read: ReadRows,
  inputs: RebuildInputs,
  { marks, ...stored }: Omit<Made, 'work' | 'steps'> & { readonly marks?: unknown },
): Promise<void> {
  const work = workOf(tables, writer)
  await work.prepare(plan, raw)
  await work.load(read)
  inputs.beat()
  await work.run(plan.steps, inputs.beat)
  await storeRows(tables, writer, { ...stored, work, steps: plan.steps }, { now: inputs.request.now, marks })
  await work.clear()
}

/**
 * Rebuilds the rows of these customers, and replaces them together with the marks of the look. Customers that are linked with them are
 * rebuilt too. A failure leaves the old marks, so that the next look reports the same customers again. Resolves to the first instant after
 * now in the new rows.
 */
export async function rebuild(
  tables: MirrorTables,
  snapshot: Snapshot,
  customers: readonly string[],
  inputs: RebuildInputs,
): Promise<FirstLater> {
  const { marks } = inputs.look
  if (customers.length === 0) {
    await tables.database.write((writer) => storeMarks(tables, writer, marks))
    return null
  }
  const planned = planOf(tables, inputs)
  const chunks = [...chunksOf(customers, TOGETHER)]
  let later: FirstLater = null
  for (const [index, touched] of chunks.entries()) {
    const end = { now: inputs.request.now, ...(index === chunks.length - 1 && { marks }) }
    const found = await tables.database.write(async (writer) => {
      const making: Making = { tables, writer, snapshot, touched, planned, inputs }
      const few = await storeFew(making, end)
      if (few !== 'linked') return few
      const work = workOf(tables, writer)
      await work.prepare(planned.plan, planned.raw)
      const keys = await makeLinked(making, work)
      const found = await storeRows(tables, writer, { work, steps: planned.plan.steps, customers: { keys, areNew: false } }, end)
      await work.clear()
      return found
    })
    later = later === undefined || found === undefined ? undefined : earlier(later, found)
  }
  return later
}

/** Customers whose rows are made together. */
interface Making {
  readonly tables: MirrorTables
  readonly writer: CacheWriter
  readonly snapshot: Snapshot
  readonly touched: readonly string[]
  readonly planned: MirrorPlan
  readonly inputs: RebuildInputs
}

/** Number of customers up to which the scratch database makes the rows. For a hundred, all threads and full plans cost less. */
const FEW = 25

/**
 * Makes and stores the rows of a few customers in the scratch database, because planning their steps costs more than running them. Stores
 * nothing if the customers are linked with others, or are many.
 */
async function storeFew(
  { tables, writer, snapshot, touched, planned, inputs }: Making,
  end: Parameters<typeof storeRows>[3],
): Promise<FirstLater | 'linked'> {
  if (touched.length > FEW) return 'linked'
  if (await isLinked(tables, writer, touched)) return 'linked'
  const work = await smallWorkOf(tables)
  await work.prepare(planned.plan, planned.raw)
  return work.within(async () => {
    await work.load(await readRows(snapshot, planned.raw, { keys: touched }, tables.database.directory))
    inputs.beat()
    await work.run(planned.links, inputs.beat)
    if (planned.links.some((step) => step.relation === LINK && work.mayHaveRows(step))) return 'linked'
    await work.run(planned.others, inputs.beat)
    return storeRows(tables, writer, { work, steps: planned.plan.steps, customers: { keys: touched, areNew: false } }, end)
  })
}

/** True if the held links lead from these customers to others. The customers are few, so the statement lists them. */
async function isLinked({ held, source }: MirrorTables, writer: CacheWriter, keys: readonly string[]): Promise<boolean> {
  if (!held.some(({ relation }) => relation === LINK)) return false
  const areTheirs = (alias: string) => customersIn(sql`${ident(alias)}.customer_key`, { keys }, source.keyType)
  const shared = sql`select mine.link_key from cached_customer_link as mine where ${areTheirs('mine')}`
  const others = sql`select 1 as found from cached_customer_link as other
where other.link_key in (${shared}) and not ${areTheirs('other')} limit 1`
  return (await send(writer, others)).length > 0
}

/**
 * Makes the rows of the touched customers, and of those that are linked with them by their old or new keys. The raw rows of the customers
 * linked with all these are read too, because rows depend on them. Returns the customers whose rows are right.
 */
async function makeLinked(
  { tables, writer, snapshot, touched, planned, inputs }: Making,
  work: WorkArea,
): Promise<readonly string[]> {
  const { raw, links, others } = planned
  const withLinked = (keys: readonly string[], madeToo: boolean) => linkedWith(tables, writer, work, keys, madeToo)
  // Where no link leads to others, none leads further.
  const contextOf = (keys: readonly string[], madeToo: boolean) =>
    keys.length === touched.length ? Promise.resolve(keys) : withLinked(keys, madeToo)
  let wanted = await withLinked(touched, false)
  let context = await contextOf(wanted, false)
  for (;;) {
    const read = await readRows(snapshot, raw, { keys: context }, tables.database.directory)
    await work.load(read)
    inputs.beat()
    await work.run(links, inputs.beat)
    const wantedNow = await withLinked(touched, true)
    const contextNow = await contextOf(wantedNow, true)
    const isComplete = contextNow.length === context.length && wantedNow.length === wanted.length
    wanted = wantedNow
    context = contextNow
    if (isComplete) break
  }
  await work.run(others, inputs.beat)
  return wanted
}

/** These customers, with all that share a link key with one of them: a stored key, or with `madeToo` a key that has just been made. */
export async function linkedWith(
  { held }: MirrorTables,
  writer: CacheWriter,
  work: WorkArea,
  keys: readonly string[],
  madeToo: boolean,
): Promise<readonly string[]> {
  if (!held.some(({ relation }) => relation === LINK)) return keys
  await work.want(keys)
  const places = [sql`cached_customer_link`, ...(madeToo ? [sql`work.${ident(stepTable(LINK))}`] : [])]
  const shared = places.map(
    (place) => sql`select mine.link_key from ${place} as mine where mine.customer_key in (select customer_key from ${WANTED})`,
  )
  const found = places.map(
    (place) => sql`select other.customer_key from ${place} as other where other.link_key in (${join(shared, sql` union all `)})`,
  )
  const rows = await send(writer, join(found, sql` union `))
  return [...new Set([...keys, ...rows.map((row) => String(row[CUSTOMER_KEY]))])]
}
