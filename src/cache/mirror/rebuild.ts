import { completeSession } from '../../connector-kit/complete-session.ts'
import type { Look, RawTable } from '../../connector-kit/mirror-source.ts'
import { chunksOf } from '../../core/batches.ts'
import { sqlNow } from '../../core/periods.ts'
import type { CacheWriter } from '../../ports/cache-database.ts'
import type { FeedRequest } from '../../ports/read-through.ts'
import type { Snapshot } from '../../ports/snapshot.ts'
import { type Plan, type Step, stepsOf } from '../held/steps.ts'
import { type ReadRows, readRows } from './copy-rows.ts'
import { FEW, isMany, LINK, type LinkedWith, linkedWith, linkedWithFew } from './links.ts'
import type { Beat } from './liveness.ts'
import { type MirrorTables, smallWorkOf, workOf } from './mirror-tables.ts'
import { withRowKeys } from './row-keys.ts'
import { CHANGES, earlier, type FirstLater, type Made, storeMarks, storeRows } from './store-rows.ts'
import type { WorkArea } from './work-area.ts'

/** Number of customers that are made together in a refresh. */
const TOGETHER = 2_000

/** A snapshot of the billing database, and what the source says about it. */
export interface RebuildInputs {
  readonly request: FeedRequest
  readonly look: Look
  /** The dialect of the billing database. */
  readonly dialect: string
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
  { look, request, dialect: from }: RebuildInputs,
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
  const content = source.content?.(session, from)
  return {
    raw: [...source.tables(session), ...(content === undefined ? [] : [content])],
    plan,
    links: plan.steps.slice(0, end),
    others: plan.steps.slice(end),
  }
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
      if (few !== 'many') return few
      const work = workOf(tables, writer)
      await work.prepare(planned.plan, planned.raw)
      const linked: LinkedWith<never> = (keys, made) => linkedWith(tables, writer, work, keys, made)
      const keys = await makeLinked(making, work, await linked(touched, false), linked)
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

/**
 * Makes and stores the rows of a few customers in the scratch database, because planning their steps costs more than running them. Stores
 * nothing if they are many together with the customers that they are linked with.
 */
async function storeFew(making: Making, end: Parameters<typeof storeRows>[3]): Promise<FirstLater | 'many'> {
  const { tables, writer, touched, planned } = making
  if (touched.length > FEW) return 'many'
  const byOldKeys = await linkedWithFew(tables, writer, touched)
  if (isMany(byOldKeys)) return byOldKeys
  const work = await smallWorkOf(tables)
  await work.prepare(planned.plan, planned.raw)
  return work.within(async () => {
    const keys = await makeLinked(making, work, byOldKeys, (keys, made) =>
      linkedWithFew(tables, writer, keys, made ? work : undefined),
    )
    if (isMany(keys)) return keys
    return storeRows(tables, writer, { work, steps: planned.plan.steps, customers: { keys, areNew: false } }, end)
  })
}

/**
 * Makes the rows of the touched customers, and of those that are linked with them by their old or new keys. The raw rows of the customers
 * linked with all these are read too, because rows depend on them. Returns the customers whose rows are right, if they are not too many.
 * `byOldKeys` are the touched customers with those linked by old keys.
 */
async function makeLinked<Many extends 'many'>(
  { tables, snapshot, touched, planned, inputs }: Making,
  work: WorkArea,
  byOldKeys: readonly string[],
  linkedWith: LinkedWith<Many>,
): Promise<readonly string[] | Many> {
  const { raw, links, others } = planned
  // Where no link leads to others, none leads further.
  const contextOf = async (keys: readonly string[], made: boolean) =>
    keys.length === touched.length ? keys : await linkedWith(keys, made)
  let wanted = byOldKeys
  let context = await contextOf(wanted, false)
  for (;;) {
    if (isMany(context)) return context
    const customers = await withRowKeys(snapshot, tables.source, inputs.look.session, context)
    await work.load(await readRows(snapshot, raw, customers, tables.database.directory))
    inputs.beat()
    await work.run(links, inputs.beat)
    if (!links.some((step) => step.relation === LINK && work.mayHaveRows(step))) break
    const wantedNow = await linkedWith(touched, true)
    if (isMany(wantedNow)) return wantedNow
    const contextNow = await contextOf(wantedNow, true)
    const isComplete = contextNow.length === context.length && wantedNow.length === wanted.length
    wanted = wantedNow
    context = contextNow
    if (isComplete) break
  }
  await work.run(others, inputs.beat)
  return wanted
}
