import type { Statement } from '../compiler/statement.ts'
import { completeSession } from '../connector-kit/complete-session.ts'
import type { Look, RawTable } from '../connector-kit/mirror-source.ts'
import { type Fragment, ident, join, sql, value } from '../connector-kit/query-runner.ts'
import { chunksOf } from '../core/batches.ts'
import { sqlNow } from '../core/periods.ts'
import type { CacheWriter } from '../ports/cache-database.ts'
import type { FeedRequest } from '../ports/read-through.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { type ReadRows, readRows } from './copy-rows.ts'
import { CUSTOMER_KEY, type HeldTable, send } from './held-tables.ts'
import type { Beat } from './liveness.ts'
import { HORIZON, type MirrorTables, readValidity, workOf } from './mirror-tables.ts'
import { writeState } from './state.ts'
import { type Plan, type Step, stepsOf, stepTable } from './steps.ts'
import { WANTED, type WorkArea } from './work-area.ts'

/** The relation that links customers: those that share a key depend on each other's raw rows. */
export const LINK = 'customer_link'
/** The relation of the instants at which rows change by themselves. */
const CHANGES = 'change_instant'

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
  const session = completeSession(look.session, connector, request.definitions)
  const names = held.map(({ relation }) => relation)
  const kept = [...names.filter((name) => name === LINK), CHANGES]
  const relations = [...kept, ...names]
  const params = { ...session.params, ...session.paramsFor?.(relations), now: sqlNow(request.now) }
  const plan = stepsOf(names, kept, { catalog, session, dialect, params })
  const end = plan.steps.findIndex(({ relation }) => relation === LINK) + 1
  return { raw: source.tables(session), plan, links: plan.steps.slice(0, end), others: plan.steps.slice(end) }
}

/** Which rows are stored: those of all customers in empty tables, of new customers, or of customers whose rows are replaced. */
interface Stored {
  readonly steps: readonly Step[]
  readonly customers: 'all' | { readonly keys: readonly string[]; readonly areNew: boolean }
  /** Relations whose rows are stored already. */
  readonly except?: string
  /** The marks to store with the rows. Absent if more rows follow. */
  readonly marks?: unknown
}

/** Makes rows from raw rows that have been read, and stores them in one transaction. */
export async function makeAndStore(
  tables: MirrorTables,
  writer: CacheWriter,
  { raw, plan }: MirrorPlan,
  read: ReadRows,
  inputs: RebuildInputs,
  stored: Omit<Stored, 'steps'>,
): Promise<void> {
  const work = workOf(tables, writer)
  await work.prepare(plan, raw)
  await work.load(read)
  inputs.beat()
  await work.run(plan.steps, inputs.beat)
  await store(tables, writer, inputs, { ...stored, steps: plan.steps })
}

/**
 * Rebuilds the rows of these customers, and replaces them together with the marks of the look. Customers that are linked with them are
 * rebuilt too. A failure leaves the old marks, so that the next look reports the same customers again.
 */
export async function rebuild(
  tables: MirrorTables,
  snapshot: Snapshot,
  customers: readonly string[],
  inputs: RebuildInputs,
): Promise<void> {
  const { marks } = inputs.look
  if (customers.length === 0)
    return tables.database.write((writer) =>
      store(tables, writer, inputs, { steps: [], customers: { keys: [], areNew: false }, marks }),
    )
  const planned = planOf(tables, inputs)
  const chunks = [...chunksOf(customers, TOGETHER)]
  for (const [index, touched] of chunks.entries()) {
    await tables.database.write(async (writer) => {
      const work = workOf(tables, writer)
      await work.prepare(planned.plan, planned.raw)
      const keys = await makeLinked(tables, writer, snapshot, { touched, planned, inputs })
      await store(tables, writer, inputs, {
        steps: planned.plan.steps,
        customers: { keys, areNew: false },
        ...(index === chunks.length - 1 && { marks }),
      })
    })
  }
}

/**
 * Makes the rows of the touched customers, and of those that are linked with them by their old or new keys. The raw rows of the customers
 * linked with all these are read too, because rows depend on them. Returns the customers whose rows are right.
 */
async function makeLinked(
  tables: MirrorTables,
  writer: CacheWriter,
  snapshot: Snapshot,
  { touched, planned, inputs }: { touched: readonly string[]; planned: MirrorPlan; inputs: RebuildInputs },
): Promise<readonly string[]> {
  const { raw, links, others } = planned
  const work = workOf(tables, writer)
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

/** Replaces the held rows of customers, their horizons and the marks in one transaction. */
async function store(
  tables: MirrorTables,
  writer: CacheWriter,
  { request }: RebuildInputs,
  { steps, customers, except, marks }: Stored,
): Promise<void> {
  const work = workOf(tables, writer)
  const isEmpty = customers !== 'all' && customers.keys.length === 0
  // A transaction writes to one database only, so the keys come before it.
  if (customers !== 'all' && !isEmpty) await work.want(customers.keys)
  const isWanted = customers === 'all' ? '' : ' where made.customer_key in (select customer_key from work.wanted)'
  const held = isEmpty ? [] : tables.held.filter(({ relation }) => relation !== except)
  tables.validity = await writer.transaction(async () => {
    if (customers !== 'all' && !customers.areNew && !isEmpty)
      for (const name of [HORIZON, ...held.map(({ table }) => table)])
        await send(writer, sql`delete from ${ident(name)} where customer_key in (select customer_key from ${WANTED})`)
    for (const { relation, table, columns } of held) {
      const step = steps.find((candidate) => candidate.relation === relation)
      if (step !== undefined) await writer.query(insertInto(table, columns, step, isWanted))
    }
    if (!isEmpty) await send(writer, horizonOf(request.now, customers === 'all'))
    if (marks !== undefined) await writeState(writer, 'marks', marks)
    return readValidity(writer)
  })
  if (marks !== undefined) tables.marks = marks
}

/** Stores the rows of a step, from its table or from its statement. */
function insertInto(table: string, columns: HeldTable['columns'], { table: made, rows }: Step, isWanted: string): Statement {
  const names = columns.map(({ name }) => name).join(', ')
  const from = made === undefined ? `(\n${rows.text}\n)` : `work.${made}`
  const values = made === undefined ? rows.values : []
  return { ...rows, values, text: `insert into ${table} (${names}) select ${names} from ${from} as made${isWanted}` }
}

/** Inserts the horizons of the customers: the last change at or before now, and the first change after now. */
function horizonOf(now: Date, isAll: boolean): Fragment {
  const instant = value(sqlNow(now), 'timestamp')
  const changes = sql`work.${ident(stepTable(CHANGES))}`
  const wanted = isAll ? sql`(select distinct customer_key from ${changes})` : WANTED
  return sql`insert into ${ident(HORIZON)} (customer_key, valid_from, valid_to)
select wanted.customer_key,
  coalesce(max(case when change.changes_at <= ${instant} then change.changes_at end), timestamp '0001-01-01 00:00:00'),
  min(case when change.changes_at > ${instant} then change.changes_at end)
from ${wanted} as wanted
left join ${changes} as change on change.customer_key = wanted.customer_key
group by wanted.customer_key`
}
