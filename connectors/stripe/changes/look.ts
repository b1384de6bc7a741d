import { createHash, randomUUID } from 'node:crypto'
import type { ConnectorSession, Snapshot } from '../../../src/connector-kit/connector.ts'
import type { Look, MirrorSource, RefillCause } from '../../../src/connector-kit/mirror-source.ts'
import { createQueryRunner, type QueryRunner } from '../../../src/connector-kit/query-runner.ts'
import { keepLast } from '../../../src/core/keep-last.ts'
import { type AccountFacts, readAccountFacts } from '../price-facts.ts'
import { type Opened, type Opener, sessionOf } from '../session.ts'
import {
  type ChangedGroup,
  changedGroups,
  type GroupSums,
  OWNED,
  type OwnedTable,
  readGroups,
  readTotals,
  readTracked,
} from './digests.ts'
import { customersOfPrices, readPricing, touchedCustomers } from './touched.ts'

/** The shape of the marks. Marks of another shape are not understood. */
const SHAPE = 1
/** Marks whose session is kept. The caller may go on from the newest ones, or from those before them. */
const MOST_KEPT = 4

/** The state of the rows of a mirror, from which a later process finds what has changed. It is JSON. */
interface Marks {
  readonly shape: typeof SHAPE
  /** Identifies these marks among all others. */
  readonly id: string
  /** Digest of all that reaches the rows of every customer: definitions, accounts, mode. */
  readonly settings: string
  /** Digest of the rest of the session. */
  readonly session: string
  readonly totals: Readonly<Record<string, string>>
  readonly groups: Readonly<Record<OwnedTable, GroupSums>>
  readonly facts: AccountFacts
  /** A digest for each price. */
  readonly pricing: Readonly<Record<string, string>>
}

/** The customers of changed documents. `cause`: only a new filling can be right. */
interface Touched {
  readonly customers: readonly string[]
  readonly cause?: RefillCause
}

/**
 * Finds the changes of a mirror by digests of its rows, which the database makes without reading a document (docs/stripe.md, "The cache"). Nothing but
 * the marks decides what has changed.
 */
export function createLook(open: Opener): MirrorSource['look'] {
  const kept = keepLast<Opened>(MOST_KEPT)
  return async (snapshot, request, given, _held) => {
    const run = createQueryRunner(snapshot)
    const before = readMarks(given)
    const opened =
      (before && (await kept.get(before.id))) ?? (await open(snapshot, () => Promise.resolve(before?.facts ?? NO_FACTS)))
    const tracked = await readTracked(run)
    const totals = await readTotals(run, opened.scope, tracked)
    const moved = Object.keys(totals).filter((table) => before?.totals[table] !== totals[table])
    const settings = await settingsOf(snapshot, open, request.definitions, opened)
    const keep = (marks: Marks, fresh: Opened) => void kept.keep(marks.id, Promise.resolve(fresh))

    if (before !== undefined && before.settings === settings.digest && moved.length === 0) {
      const session = sessionOf(settings.opened, request)
      if (before.session === sessionDigest(session)) {
        keep(before, settings.opened)
        return { session, extent: 'none', customers: [], marks: before }
      }
    }
    const isRefill = before === undefined || before.settings !== settings.digest
    const { scope } = settings.opened
    const groups = { ...(before?.groups ?? {}) } as Record<OwnedTable, GroupSums>
    for (const table of OWNED) if (isRefill || moved.includes(table)) groups[table] = await readGroups(run, table, scope, tracked)
    const found = isRefill
      ? { customers: [], ...(before && { cause: { reason: 'settings', text: 'the definitions or the accounts have changed' } }) }
      : await touched(run, before, groups, scope)
    const isWhole = isRefill || found.cause !== undefined
    const facts = isWhole
      ? await readAccountFacts(run, scope)
      : await readAccountFacts(run, scope, { keys: found.customers }, before.facts)
    const pricing = await readPricing(run, scope, facts.rowless)
    const priced = isWhole ? found : await withPrices(run, found, { before, facts, pricing }, scope)
    const allFacts = priced.cause === undefined || isWhole ? facts : await readAccountFacts(run, scope)
    const fresh = await open(snapshot, () => Promise.resolve(allFacts))
    const session = sessionOf(fresh, request)
    const marks: Marks = {
      ...{ shape: SHAPE, id: randomUUID(), settings: settings.digest, session: sessionDigest(session), totals, groups },
      ...{ facts: allFacts, pricing: allFacts === facts ? pricing : await readPricing(run, scope, allFacts.rowless) },
    }
    keep(marks, fresh)
    const extent: Look['extent'] = isRefill || priced.cause !== undefined ? 'refill' : 'customers'
    return { session, extent, customers: [...new Set(priced.customers)], cause: priced.cause, marks }
  }
}

const NO_FACTS: AccountFacts = { rowless: '[]', units: '[]', currencies: [] }

/** The marks of an earlier look. Undefined if there are none, or if they have another shape. */
function readMarks(given: unknown): Marks | undefined {
  const marks = given as Marks | undefined | null
  return marks?.shape === SHAPE ? marks : undefined
}

/** Accounts change without a change in the tables of documents, so they are read in each look. */
async function settingsOf(
  snapshot: Snapshot,
  open: Opener,
  definitions: unknown,
  { facts }: Opened,
): Promise<{ readonly digest: string; readonly opened: Opened }> {
  const opened = await open(snapshot, () => Promise.resolve(facts))
  const { chosen, scope, settings } = opened
  const began = chosen.map(({ id, first_synced_at }) => [id, first_synced_at])
  return { digest: digestOf([definitions, scope, settings, began]), opened }
}

async function touched(run: QueryRunner, before: Marks, groups: Marks['groups'], scope: Opened['scope']): Promise<Touched> {
  const customers: string[] = []
  for (const table of OWNED) {
    const changed: readonly ChangedGroup[] =
      groups[table] === before.groups[table] ? [] : changedGroups(before.groups[table], groups[table])
    const own = await touchedCustomers(run, table, changed, scope)
    if (own === undefined) return { customers, cause: { reason: 'rows_gone', text: `rows of ${table} are gone` } }
    customers.push(...own)
  }
  return { customers }
}

interface Priced {
  readonly before: Marks
  readonly facts: AccountFacts
  readonly pricing: Marks['pricing']
}

/** Adds the customers whose lines have a price that has become known. Another amount of a known price reaches any customer. */
async function withPrices(
  run: QueryRunner,
  found: Touched,
  { before, facts, pricing }: Priced,
  scope: Opened['scope'],
): Promise<Touched> {
  const isOther = Object.entries(before.pricing).some(([id, digest]) => pricing[id] !== digest)
  if (isOther || before.facts.units !== facts.units)
    return { ...found, cause: { reason: 'prices', text: 'the amount of a price has changed' } }
  const fresh = Object.keys(pricing).filter((id) => before.pricing[id] === undefined)
  return { customers: [...found.customers, ...(await customersOfPrices(run, fresh, scope))] }
}

function sessionDigest({ sources, currencies, params }: ConnectorSession): string {
  const { now: _, ...others } = params
  return digestOf([sources, currencies, others])
}

function digestOf(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64')
}
