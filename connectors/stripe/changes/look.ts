import { randomUUID } from 'node:crypto'
import type { MirrorSource, RefillCause } from '../../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, type QueryRunner } from '../../../src/connector-kit/query-runner.ts'
import { digestOf, sessionFacts } from '../../../src/connector-kit/session-facts.ts'
import { keepLast } from '../../../src/core/keep-last.ts'
import { RETURNS, type Scope } from '../documents.ts'
import { readFreshness } from '../freshness.ts'
import { type AccountFacts, NO_FACTS, readAccountFacts } from '../price-facts.ts'
import { readUnplaced } from '../refunds.ts'
import { type Known, type Opened, type Opener, sessionOf } from '../session.ts'
import { changedGroups, type GroupSums, type OwnedTable, ownedTables, readGroups, readTotals, readTracked } from './digests.ts'
import { customersOfPrices, readPricing, touchedCustomers } from './touched.ts'

/** The shape of the marks. Marks of another shape are not understood. */
const SHAPE = 3
/** Marks whose session is kept. The caller may go on from the newest ones, or from those before them. */
const MOST_KEPT = 4

/** The state of the rows of a mirror, from which a later process finds what has changed. It is JSON. */
interface Marks extends Known {
  readonly shape: typeof SHAPE
  /** Identifies these marks among all others. */
  readonly id: string
  /** Digest of all that reaches the rows of every customer: definitions, accounts, mode. */
  readonly settings: string
  /** Digest of the rest of the session. */
  readonly session: string
  readonly totals: Readonly<Record<string, string>>
  readonly groups: Readonly<Partial<Record<OwnedTable, GroupSums>>>
  /** A digest for each price. */
  readonly pricing: Readonly<Record<string, string>>
}

/** The customers of changed documents. `cause`: only a new filling can be right. */
interface Touched {
  readonly customers: readonly string[]
  readonly cause?: RefillCause
}

const NOTHING: Known = { facts: NO_FACTS, copied: undefined, unplaced: 0 }
const SETTINGS: RefillCause = { reason: 'settings', text: 'the definitions or the accounts have changed' }

/**
 * Finds the changes of a mirror by digests of its rows, which the database makes without reading a document (docs/stripe.md, "The cache"). Nothing but
 * the marks decides what has changed.
 */
export function createLook(open: Opener): MirrorSource['look'] {
  const kept = keepLast<Opened>(MOST_KEPT)
  return async (snapshot, request, given) => {
    const run = createQueryRunner(snapshot)
    const before = readMarks(given)
    const opened = await open(snapshot, (before && (await kept.get(before.id))) ?? before ?? NOTHING)
    const { scope, mirror } = opened
    const { hasRuns } = mirror
    const tracked = await readTracked(run, scope)
    const totals = await readTotals(run, scope, tracked, hasRuns)
    const moved = Object.keys(totals).filter((table) => before?.totals[table] !== totals[table])
    const settings = settingsDigest(opened, request.definitions)
    const isRefill = before?.settings !== settings
    if (before !== undefined && !isRefill && moved.length === 0) {
      const session = sessionOf(opened, request)
      if (before.session === sessionDigest(session)) {
        void kept.keep(before.id, Promise.resolve(opened))
        return { session, extent: 'none', customers: [], marks: before }
      }
    }
    const groups: Partial<Record<OwnedTable, GroupSums>> = { ...before?.groups }
    for (const table of ownedTables(scope))
      if (isRefill || moved.includes(table)) groups[table] = await readGroups(run, table, scope, tracked)
    const found: Touched =
      before === undefined || isRefill
        ? { customers: [], ...(before && { cause: SETTINGS }) }
        : await findTouched(run, before, groups, scope)
    const { facts, pricing, touched } = await readFacts(run, scope, found, before)
    const copied = await readFreshness(run, scope, hasRuns)
    const isKnown = before !== undefined && !isRefill && !mayPlace(moved, before)
    const unplaced = isKnown ? before.unplaced : await readUnplaced(run, scope)
    const fresh = await open(snapshot, { facts, copied, unplaced })
    const session = sessionOf(fresh, request)
    const marks: Marks = {
      ...{ shape: SHAPE, id: randomUUID(), settings, session: sessionDigest(session) },
      ...{ totals, groups, facts, copied, unplaced, pricing },
    }
    void kept.keep(marks.id, Promise.resolve(fresh))
    const extent = before === undefined || touched.cause !== undefined ? 'refill' : 'customers'
    return { session, extent, customers: [...new Set(touched.customers)], cause: touched.cause, marks }
  }
}

/** True if the number of refunds whose invoice is not known may differ. Another invoice can only name one of them. */
function mayPlace(moved: readonly string[], { unplaced }: Marks): boolean {
  return moved.some((table) => RETURNS.some((one) => one === table)) || (unplaced > 0 && moved.includes('invoices'))
}

/** The marks of an earlier look. Undefined if there are none, or if they have another shape. */
function readMarks(given: unknown): Marks | undefined {
  const marks = given as Marks | undefined | null
  return marks?.shape === SHAPE ? marks : undefined
}

function settingsDigest({ chosen, scope, settings }: Opened, definitions: unknown): string {
  const began = chosen.map(({ id, first_synced_at }) => [id, first_synced_at])
  return digestOf([definitions, scope, settings, began])
}

/** Most customers of a refresh. Statements name each of them, and have a limit of values. */
const MOST_CUSTOMERS = 10_000

/** The customers whose documents have changed. */
async function findTouched(run: QueryRunner, before: Marks, groups: Marks['groups'], scope: Scope): Promise<Touched> {
  const customers: string[] = []
  for (const table of ownedTables(scope)) {
    const [then, now] = [before.groups[table], groups[table]]
    const changed = then === undefined || now === undefined || then === now ? [] : changedGroups(then, now)
    const own = await touchedCustomers(run, table, changed, scope)
    if (own === undefined) return { customers, cause: { reason: 'rows_gone', text: `rows of ${table} are gone` } }
    customers.push(...own)
  }
  const { size } = new Set(customers)
  if (size > MOST_CUSTOMERS) return { customers, cause: { reason: 'many_customers', text: `${size} customers have changed` } }
  return { customers }
}

/** The facts after a change: those of the marks with those of the touched customers, or all of them for a new filling. */
async function readFacts(run: QueryRunner, scope: Scope, found: Touched, before: Marks | undefined) {
  if (before === undefined || found.cause !== undefined) return { ...(await readAll(run, scope)), touched: found }
  const facts = await readAccountFacts(run, scope, { keys: [...new Set(found.customers)] }, before.facts)
  const pricing = await readPricing(run, scope, facts.rowless)
  const touched = await withPrices(run, found, { before, facts, pricing }, scope)
  return touched.cause === undefined ? { facts, pricing, touched } : { ...(await readAll(run, scope)), touched }
}

async function readAll(run: QueryRunner, scope: Scope) {
  const facts = await readAccountFacts(run, scope)
  return { facts, pricing: await readPricing(run, scope, facts.rowless) }
}

interface Priced {
  readonly before: Marks
  readonly facts: AccountFacts
  readonly pricing: Marks['pricing']
}

/** Adds the customers whose lines have a price that has become known. Another amount of a known price reaches any customer. */
async function withPrices(run: QueryRunner, found: Touched, { before, facts, pricing }: Priced, scope: Scope): Promise<Touched> {
  const isOther = Object.entries(before.pricing).some(([id, digest]) => pricing[id] !== digest)
  if (isOther || unitsIn(before.facts) !== unitsIn(facts))
    return { ...found, cause: { reason: 'prices', text: 'the amount of a price has changed' } }
  const fresh = Object.keys(pricing).filter((id) => before.pricing[id] === undefined)
  return { customers: [...found.customers, ...(await customersOfPrices(run, fresh, scope))] }
}

/** The units of prices in other currencies, without the quantities that they come from. */
function unitsIn({ units }: AccountFacts): string {
  const list = JSON.parse(units) as readonly Readonly<Record<string, unknown>>[]
  return JSON.stringify(list.map((known) => [known['price_id'], known['currency'], known['unit']]))
}

function sessionDigest(session: ReturnType<typeof sessionOf>): string {
  return digestOf([session.copied, ...sessionFacts(session)])
}
