import { randomUUID } from 'node:crypto'
import type { ConnectorSession } from '../../../src/connector-kit/connector.ts'
import type { Look, MirrorSource, RefillCause } from '../../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, fn, type QueryRunner, sql, textList } from '../../../src/connector-kit/query-runner.ts'
import { digestOf } from '../../../src/connector-kit/session-facts.ts'
import { groupBy } from '../../../src/core/group-by.ts'
import { keepLast } from '../../../src/core/keep-last.ts'
import { type createOpener, type Opened, sessionOf } from '../session.ts'
import { changedGroups, type Digests, readGroups, readTotals } from './digests.ts'
import { type Owner, PARTS, partsOf, readTracked } from './parts.ts'
import { goneCustomers, touchedCustomers } from './touched.ts'

/** The shape of the marks. Marks of another shape are not understood. */
const SHAPE = 1
/** Marks whose session is kept. The caller may go on from the newest ones, or from those before them. */
const MOST_KEPT = 4

/** The state of the rows of a mirror, from which a later process finds what has changed. It is JSON. */
interface Marks extends Digests {
  readonly shape: typeof SHAPE
  /** Identifies these marks among all others. */
  readonly id: string
  /** Digest of all that reaches the rows of every customer: definitions, organizations, zones of billing entities. */
  readonly facts: string
  /** Digest of the offsets of each time zone. */
  readonly zones: Readonly<Record<string, string>>
  /** Digest of the rest of the session. */
  readonly session: string
}

/**
 * Finds the changes of a Lago database by digests of its rows (docs/lago.md, "The cache"). Nothing but the marks decides what has changed. The
 * session is not opened again for marks of this process while all rows stay the same.
 */
export function createLook(open: ReturnType<typeof createOpener>): MirrorSource['look'] {
  const kept = keepLast<Opened>(MOST_KEPT)
  const keep = (id: string, opened: Opened) => kept.keep(id, Promise.resolve(opened))

  return async (snapshot, request, given, held) => {
    const run = createQueryRunner(snapshot)
    const before = readMarks(given)
    const known = before === undefined ? undefined : await kept.get(before.id)
    // Opening comes first, because the address may lead to a database without these tables.
    const reopened = known ?? (await open(snapshot))
    const tracked = await readTracked(run)
    const parts = partsOf(reopened.schema)
    const totals = await readTotals(run, parts, tracked)
    const moved = parts.filter(({ name }) => before?.totals[name] !== totals[name])
    const opened = known !== undefined && moved.length > 0 ? await open(snapshot) : reopened
    const session = await sessionOf(opened, request)
    const state = {
      facts: digestOf([request.definitions, opened.organizations, await readEntities(run, opened), opened.schema]),
      zones: zonesOf(session),
      session: digestOf([session.sources, session.currencies]),
    }
    const look = (found: Pick<Look, 'extent' | 'customers' | 'cause'>, groups: Digests['groups']): Look => {
      const marks: Marks = { shape: SHAPE, id: randomUUID(), ...state, totals, groups: { ...before?.groups, ...groups } }
      keep(marks.id, opened)
      return { session, ...found, marks }
    }
    const cause = causeOfRefill(before, state)
    if (before === undefined || cause !== undefined)
      return look({ extent: 'refill', customers: [], cause }, await readGroups(run, parts, tracked))
    if (moved.length === 0 && before.session === state.session) {
      keep(before.id, opened)
      return { session, extent: 'none', customers: [], marks: before }
    }
    const groups = await readGroups(run, moved, tracked)
    const changed = new Map<Owner, readonly number[]>()
    let saved: readonly number[] = []
    for (const { name, owner } of moved) {
      const own = changedGroups(before.groups[name] ?? '', groups[name] ?? '')
      changed.set(owner, [...new Set([...(changed.get(owner) ?? []), ...own])])
      if (name === 'customers') saved = own
    }
    const touched = await touchedCustomers(run, changed, opened.organizations)
    const gone = await goneCustomers(run, saved, opened.organizations, held)
    return look({ extent: 'customers', customers: [...touched, ...gone] }, groups)
  }
}

/** The marks of an earlier look. Undefined if there are none, or if they have another shape. */
function readMarks(given: unknown): Marks | undefined {
  const marks = given as Marks | undefined | null
  if (marks?.shape !== SHAPE) return undefined
  return PARTS.every(({ name }) => marks.groups[name] !== undefined) ? marks : undefined
}

/** The cause of a refill: a change that reaches the rows of every customer. */
function causeOfRefill(before: Marks | undefined, now: Pick<Marks, 'facts' | 'zones'>): RefillCause | undefined {
  if (before === undefined) return undefined
  if (before.facts !== now.facts)
    return { reason: 'settings', text: 'the definitions, the organizations or a billing entity have changed' }
  // A zone that nobody had before reaches nobody else.
  if (Object.entries(before.zones).some(([zone, digest]) => (now.zones[zone] ?? digest) !== digest))
    return { reason: 'time_zone', text: 'the offsets of a time zone have changed' }
  return undefined
}

function zonesOf({ inline }: ConnectorSession): Marks['zones'] {
  const rows = groupBy(inline.get('zone_offset')?.rows ?? [], ([zone]) => String(zone))
  return Object.fromEntries([...rows].map(([zone, own]) => [zone, digestOf(own)]))
}

/** Billing entities with their time zones, which customers without one have. */
async function readEntities(run: QueryRunner, { organizations }: Opened): Promise<unknown> {
  return run(
    'lago.entities',
    sql`select ${fn('text', sql`entity.id`)} as id, entity.timezone from billing_entities as entity
      where ${fn('text', sql`entity.organization_id`)} in (${textList(organizations)}) order by entity.id`,
  )
}
